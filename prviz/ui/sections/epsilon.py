"""The probe of ε on a page: which k needs the least work per improvement near the best cost?"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import streamlit as st

from prviz.engine.kernels import n_variables
from prviz.player.live import LiveRun
from prviz.search.checkpoint import SECONDS
from prviz.search.probe import Probe
from prviz.ui.levels.sliders import Usual
from prviz.ui.sections import calculator
from prviz.ui.sections.advice import Advice, Asked, advise, table
from prviz.ui.sections.probing import Probing
from prviz.ui.sections.watched import stop_button, watched
from prviz.ui.serve import session
from prviz.ui.serve.chart import chart
from prviz.ui.widgets.controls import remembered, remembered_number
from prviz.ui.widgets.formatting import counted, digits

REPEATS, MOST_REPEATS = 500, 100_000
MOST_SIZES = 24
DELTA, SMALLEST_DELTA, LARGEST_DELTA = 0.05, 1e-9, 0.999
LARGEST_SEED = 999_999_999
NARROW = 112  # width in pixels below which Streamlit hides − and +, to save space

Send = Callable[[int, int], str]


class Probed(NamedTuple):
    """The context of the section.

    Attributes
    ----------
    page : str
    send : function of k and M
        Set the page's sliders; return a message about the values that had to change.
    usual : Usual
        The baseline setting.
    """

    page: str
    send: Send
    usual: Usual

    @property
    def run(self) -> LiveRun | None:
        """Look up the page's present run: a fragment would keep an old run as its argument."""
        return session.tab().run(self.page)

    @property
    def held_run(self) -> LiveRun:
        """Return the page's run, which must exist."""
        run = self.run
        assert run is not None
        return run

    @property
    def probing(self) -> Probing | None:
        """Return the probe of the page, or None."""
        return cast("Probing | None", session.tab().probes.get(self.page))

    @property
    def key(self) -> str:
        return f"{self.page}-epsilon"

    @property
    def n(self) -> int:
        return n_variables(self.held_run.problem)

    @property
    def many(self) -> str:
        return self.held_run.layout()["noun"][1]


def probe_of_epsilon(page: str, send: Send, usual: Usual) -> None:
    """Draw the section Probe ε of a page with a run. A closed section has no content."""
    about = Probed(page, send, usual)
    probing, run = about.probing, about.run
    if probing and run and not probing.fits(run):
        session.tab().drop_probe(page)
        st.session_state[f"{about.key}-said"] = DISCARDED
    watched(
        "Which k improves with the least work? Probe ε",
        "labs",
        about.key,
        lambda: about.probing,
        lambda found: _opened(about, found) if about.run else None,
    )


def _opened(about: Probed, probing: Probing | None) -> None:
    optimiser = about.held_run.layout()["optimiser"]
    st.markdown(WORDS.format(many=about.many, optimiser=optimiser, seconds=SECONDS))
    if about.held_run.stochastic:
        st.markdown(f"{optimiser} is stochastic, so ε includes improvements by chance.")
    _controls(about, probing)
    if message := st.session_state.get(f"{about.key}-said"):
        st.info(message, icon=":material/info:")
    if probing is None:
        return
    if probing.active:
        progress(probing)
    elif probing.trouble:
        st.error(probing.trouble, icon=":material/error:")
    if probing.found is not None:
        _found(about, probing, probing.found)


def _controls(about: Probed, probing: Probing | None) -> None:
    key, n = about.key, about.n
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            f"k, numbers of {about.many}",
            key=remembered(f"{key}-sizes-{n}", _listed(sizes(n))),
            help=f"1 to {n}, separated by commas. Three sizes are always added: 0 (the control), "
            f"{about.usual.k} ({about.usual.whose} k₁) and {n} (a restart).",
        )
        repeats = remembered_number(
            "Redraws of each", 1, MOST_REPEATS, f"{key}-repeats", REPEATS, width=NARROW
        )
        seed = remembered_number("Seed", 0, LARGEST_SEED, f"{key}-seed", 0, width=NARROW)
        active = probing is not None and probing.active
        start = st.button(
            "Probe", icon=":material/labs:", type="primary", key=f"{key}-start", disabled=active
        )
        stop_button(probing, key)
    if start:
        _start(about, text, repeats, seed)


def _start(about: Probed, text: str, repeats: int, seed: int) -> None:
    try:
        chosen = read_sizes(text, about.n, about.many)
    except ValueError as error:
        st.error(str(error), icon=":material/error:")
        return
    compared = {0, about.usual.k, about.n}
    probing = Probing(about.held_run, sorted({*chosen, *compared}), repeats, seed)
    session.tab().probe(about.page, probing)
    st.session_state.pop(f"{about.key}-said", None)
    st.rerun()


def progress(probing: Probing) -> None:
    """Draw the progress of a probe."""
    found = probing.found
    if found is None:
        words = "Searching for a starting point, or waiting for the kernels or another probe."
    else:
        at = int((found.repeats > 0).sum()) - 1
        total = probing.repeats * len(probing.sizes)
        words = (
            f"k = {found.sizes[at]}: {digits(int(found.repeats[at]))} of "
            f"{counted(probing.repeats, 'redraw')}; {digits(int(found.repeats.sum()))} of "
            f"{digits(total)} in all"
        )
    st.progress(probing.done, words)


def _found(about: Probed, probing: Probing, found: Probe) -> None:
    """Draw the figure, the table, and the conclusions."""
    from prviz.figures.epsilon import epsilon_info, plot_epsilon

    key = about.key
    st.markdown(probing.start.words)
    info = epsilon_info(found)
    figure = plot_epsilon(info, found.sizes, probing.repeats, about.n, about.many)
    alt = "Share of redraws that improved, by k, with 95 % CIs. The table has the numbers."
    chart(figure, f"{key}-picture", alt, "How often a redraw improves: ε̂ by k")
    delta = remembered_number(
        "δ, the accepted chance of missing",
        SMALLEST_DELTA,
        LARGEST_DELTA,
        f"{key}-delta",
        DELTA,
        step=0.01,
        format="%g",
        width=240,
    )
    st.markdown(table(info, delta))
    st.caption(CAPTION.format(n=_each(info)))
    advice = advise(found, info, Asked(about.n, about.usual, probing.start.gap, delta))
    for words in advice.said:
        st.markdown(words)
    if info.best is not None:
        _send(about, info, advice, delta, probing.active)


def _send(about: Probed, info: Any, advice: Advice, delta: float, active: bool) -> None:
    """Draw buttons to use the result; only a complete probe has a button for k₁ and M₁."""
    key = about.key
    share = float(info.estimate[info.sizes == info.best][0])
    sent = False
    with st.container(horizontal=True):
        if advice.k and not active:
            sent = st.button(
                f"Use k₁ = {advice.k}, M₁ = {digits(advice.m)}",
                icon=":material/tune:",
                key=f"{key}-send",
            )
        shown = st.button(
            "Show in the calculator",
            icon=":material/calculate:",
            key=f"{key}-show",
            on_click=calculator.put,
            args=(about.page, delta, share),
        )
    if sent and advice.k is not None:
        st.session_state[f"{key}-said"] = about.send(advice.k, advice.m)
    if sent or shown:
        st.rerun()


# Text and numbers


def sizes(n: int) -> list[int]:
    """Return default sizes: 1, 2, 5, 10, … and N."""
    steps = (digit * 10**power for power in range(len(str(n))) for digit in (1, 2, 5))
    return sorted({*(step for step in steps if step < n), n})


def read_sizes(text: str, n: int, many: str) -> list[int]:
    """Return the typed sizes; raise a ValueError if they are invalid."""
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    if not parts:
        raise ValueError(f"Enter at least one k from 1 to {n}, separated by commas.")
    found = set()
    for part in parts:
        if not re.fullmatch(r"[0-9]{1,9}", part) or not 1 <= int(part) <= n:
            shown = part if len(part) <= 12 else f"{part[:12]}…"
            raise ValueError(
                f"“{shown}” is not a number of {many}: write 1 to {n}, separated by commas."
            )
        found.add(int(part))
    if len(found) > MOST_SIZES:
        raise ValueError(f"{len(found)} sizes exceed the limit of {MOST_SIZES} per probe.")
    return sorted(found)


def _each(info: Any) -> str:
    made = sorted({int(n) for n in info.repeats})
    if len(made) == 1:
        return f"{counted(made[0], 'redraw')} of each size"
    return f"{digits(made[0])} to {counted(made[-1], 'redraw')} of each size"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


WORDS = """
The probe starts from a configuration near the best. From there it redraws k {many} many times, with
the α and the sub-sets of this page, and each time runs the local optimiser ({optimiser}). The
share of redraws that lower the cost by more than 0.001 % estimates ε. If the best configuration of
the run above is 1 to 10 % above the best known cost, the probe starts from it. Otherwise a search
with the same values runs until it is 10 % above the best, for at most {seconds:g} s. The run itself
does not change.
"""
DISCARDED = "The problem, α or the sub-sets have changed, so the previous probe was discarded."
CAPTION = (
    "n = {n}. Bars are 95 % Wilson intervals. A triangle is the upper limit if no redraw "
    "improved. k = 0 redraws nothing: the control. The iterations column counts iterations of "
    "the local optimiser per redraw. The work per improvement is all iterations divided by the "
    "number of improvements."
)
