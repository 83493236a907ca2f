"""The probe of ε on a page: from the best configuration, which k improves most often?"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from prviz.engine.kernels import n_variables
from prviz.engine.schedule import calls_needed
from prviz.player.job import LEAST, ProbeJob
from prviz.player.live import LiveRun
from prviz.ui.sections import calculator
from prviz.ui.serve import session
from prviz.ui.widgets.chart import chart
from prviz.ui.widgets.controls import remembered
from prviz.ui.widgets.formatting import counted, digits, six_digits

EVERY = 0.5  # seconds between two looks at a probe that runs
REPEATS, MOST_REPEATS = 200, 100_000
MOST_SIZES = 24
FEW = 10  # calls, after which nearly everything improves
DELTA, SMALLEST_DELTA, LARGEST_DELTA = 0.05, 1e-9, 0.999
LARGEST_SEED = 2**31 - 1

Send = Callable[[int, int], str]


class Probed(NamedTuple):
    """What the section is about.

    Attributes
    ----------
    page : str
    send : function of k and M
        Put them on the page's sliders; says what came of it.
    """

    page: str
    send: Send

    @property
    def run(self) -> LiveRun | None:
        """That of the page, looked up: Streamlit keeps what a fragment is given."""
        return session.tab().run(self.page)

    @property
    def key(self) -> str:
        return f"{self.page}-epsilon"

    @property
    def n(self) -> int:
        return n_variables(self.run.problem)

    @property
    def many(self) -> str:
        return self.run.layout()["noun"][1]


def probe_of_epsilon(page: str, send: Send) -> None:
    """The section of a page with a run; what is in it is made when it is opened."""
    about = Probed(page, send)
    probing = session.tab().probes.get(page)
    if probing and not probing.fits(about.run):
        session.tab().drop_probe(page)
        st.session_state[f"{about.key}-said"] = DISCARDED
        probing = None
    active = probing is not None and probing.active
    st.fragment(_section, run_every=EVERY if active else None)(about, active)


def _section(about: Probed, watched: bool) -> None:
    probing = session.tab().probes.get(about.page)
    if watched and not (probing and probing.active):
        st.rerun()  # so that the page looks no more
    words = st.expander(
        "Which k improves most often? A probe of ε",
        icon=":material/labs:",
        key=about.key,
        on_change="rerun",
    )
    if words.open and about.run:
        with words:
            _opened(about, probing)


def _opened(about: Probed, probing: ProbeJob | None) -> None:
    optimiser = about.run.layout()["optimiser"]
    st.markdown(WORDS.format(many=about.many, optimiser=optimiser))
    if about.run.stochastic:
        st.markdown(f"{optimiser} draws at random itself: ε is of its luck, too.")
    _controls(about, probing)
    if said := st.session_state.get(f"{about.key}-said"):
        st.info(said, icon=":material/info:")
    if probing is None:
        return
    if probing.active:
        _progress(probing)
    elif probing.trouble:
        st.error(probing.trouble, icon=":material/error:")
    if probing.found is not None:
        _found(about, probing)


def _controls(about: Probed, probing: ProbeJob | None) -> None:
    key, n = about.key, about.n
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            f"k, numbers of {about.many}",
            key=remembered(f"{key}-sizes-{n}", _listed(sizes(n))),
            help=f"1 to {n}, commas between. Beside them, k = 0 is always tried: the control.",
        )
        repeats = st.number_input(
            "Redraws of each",
            1,
            MOST_REPEATS,
            value=None,
            key=remembered(f"{key}-repeats", REPEATS),
            width=120,
        )
        seed = st.number_input(
            "Seed", 0, LARGEST_SEED, value=None, key=remembered(f"{key}-seed", 0), width=110
        )
        active = probing is not None and probing.active
        start = st.button(
            "Probe", icon=":material/labs:", type="primary", key=f"{key}-start", disabled=active
        )
        st.button(
            "Stop",
            icon=":material/stop:",
            key=f"{key}-stop",
            disabled=not active,
            on_click=probing.stop if active else None,
        )
    if start:
        _start(about, text, repeats, seed)


def _start(about: Probed, text: str, repeats: int, seed: int) -> None:
    try:
        wanted = read_sizes(text, about.n, about.many)
    except ValueError as error:
        st.error(str(error), icon=":material/error:")
        return
    probing = ProbeJob(about.run, [0, *wanted], repeats, seed)
    session.tab().probe(about.page, probing)
    st.session_state.pop(f"{about.key}-said", None)
    st.rerun()


def _progress(probing: ProbeJob) -> None:
    found = probing.found
    if found is None:
        words = "It waits for the kernels, or for another probe to end."
    else:
        at = int((found.repeats > 0).sum()) - 1
        total = probing.repeats * len(probing.sizes)
        words = (
            f"k = {found.sizes[at]}: {digits(int(found.repeats[at]))} of "
            f"{counted(probing.repeats, 'redraw')}; {digits(int(found.repeats.sum()))} of "
            f"{digits(total)} in all"
        )
    st.progress(probing.done, words)


def _found(about: Probed, probing: ProbeJob) -> None:
    """The figure, the table, and what follows from them."""
    from prviz.figures.epsilon import epsilon_info, plot_epsilon

    found, key = probing.found, about.key
    cost = about.run.layout()["cost"]
    shown = six_digits(found.cost) if abs(found.cost) >= LEAST else "0"
    whose = "the run" if probing.run_id == about.run.id else "an earlier run"
    st.markdown(
        f"From {cost} {shown}, the lowest that {whose} had found after "
        f"{counted(probing.calls, 'call')}."
        + (" Run the search for longer to probe a lower one." if probing.calls < FEW else "")
    )
    info = epsilon_info(found)
    figure = plot_epsilon(info, found.sizes, probing.repeats, about.n, about.many)
    alt = "The share of redraws that improved, by k, with intervals; the table has its numbers."
    chart(figure, f"{key}-picture", alt)
    delta = st.number_input(
        "δ, the accepted chance of missing",
        SMALLEST_DELTA,
        LARGEST_DELTA,
        value=None,
        step=0.01,
        format="%g",
        key=remembered(f"{key}-delta", DELTA),
        width=240,
    )
    st.markdown(table(found, info, delta))
    st.caption(CAPTION.format(n=_each(info)))
    for words in verdict(found, info, delta):
        st.markdown(words)
    if probing.outdone_by(about.run):
        st.markdown("The run above has found a lower cost: probe again to begin there.")
    if info.best is not None:
        _send(about, info, delta, probing.active)


def _send(about: Probed, info: Any, delta: float, active: bool) -> None:
    """The buttons that take it further; while the probe goes on, the best k may still change."""
    key = about.key
    share = float(info.estimate[info.sizes == info.best][0])
    calls = calls_needed(delta, share)
    with st.container(horizontal=True):
        sent = st.button(
            f"Use k₁ = {info.best}, M₁ = {digits(calls)}",
            icon=":material/tune:",
            type="primary",
            key=f"{key}-send",
            disabled=active,
        )
        shown = st.button(
            "Show in the calculator",
            icon=":material/calculate:",
            key=f"{key}-show",
            on_click=calculator.put,
            args=(about.page, delta, share),
        )
    if sent:
        st.session_state[f"{key}-said"] = about.send(info.best, calls)
    if sent or shown:
        st.rerun()


# Words and numbers


def sizes(n: int) -> list[int]:
    """Sizes to begin with: 1, 2, 5, 10, … and N."""
    steps = (digit * 10**power for power in range(len(str(n))) for digit in (1, 2, 5))
    return sorted({*(step for step in steps if step < n), n})


def read_sizes(text: str, n: int, many: str) -> list[int]:
    """The sizes that somebody typed; a ValueError says what is wrong with them."""
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    if not parts:
        raise ValueError(f"There is no k to try: write numbers from 1 to {n}, commas between.")
    found = set()
    for part in parts:
        if not re.fullmatch(r"[0-9]{1,9}", part) or not 1 <= int(part) <= n:
            shown = part if len(part) <= 12 else f"{part[:12]}…"
            raise ValueError(f"“{shown}” is no number of {many}: write 1 to {n}, commas between.")
        found.add(int(part))
    if len(found) > MOST_SIZES:
        raise ValueError(f"{len(found)} sizes are more than the {MOST_SIZES} that a probe takes.")
    return sorted(found)


def table(found: Any, info: Any, delta: float) -> str:
    """Markdown: a row a size."""
    lines = ["| k | improved | ε̂ | M | 95 % interval | iterations |", "|--:|--:|--:|--:|--:|--:|"]
    work = dict(zip(found.sizes.tolist(), found.iterations.tolist(), strict=True))
    for size, made, hits, share, low, high in zip(*info[:6], strict=True):
        estimate = _share(share) if hits else f"< {_share(high)}"
        interval = f"{_share(low)} – {_share(high)}"
        calls = "" if size == 0 else digits(calls_needed(delta, float(share))) if hits else "?"
        if size and not hits:
            calls = f"> {digits(calls_needed(delta, float(high)))}"
        name = f"**{size}**" if size == info.best else f"{size}"
        mean = work[int(size)] / made
        cells = name, f"{hits} of {made}", estimate, calls, interval, digits(mean)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def verdict(found: Any, info: Any, delta: float) -> list[str]:
    """What follows, a paragraph each; how sure it is among them."""
    said = []
    control = info.improved[info.sizes == 0]
    if control.sum():
        of = int(info.repeats[info.sizes == 0][0])
        said.append(
            f"**Without any redraw, the optimiser alone improved {control[0]} times of {of}**: it "
            "draws at random, or ends before an optimum. So every ε here is of its own luck and of "
            "training on, too; only what exceeds the control is the redraws'."
        )
    if info.best is None:
        if (info.sizes > 0).any():
            said.append(
                "No redraw has improved. That doesn't show that none can: the triangles are bounds "
                "from above, and M must be larger than the table's."
            )
        return said
    at = info.sizes == info.best
    share, low = float(info.estimate[at][0]), float(info.low[at][0])
    calls, careful = calls_needed(delta, share), calls_needed(delta, low)
    said.append(
        f"**k = {info.best}** improved most often: M = {digits(calls)} redraws miss with "
        f"probability {delta:g} at most, if ε is as estimated; at the lower end of the interval it "
        f"takes {digits(careful)}. The best of several looks better than it is."
    )
    alike = [f"k = {_listed(info.rivals)}"] if info.rivals else []
    if control.sum() and info.high[info.sizes == 0][0] >= share:
        alike.append("the control, so that no redraw is shown to help")
    if alike:
        said.append(
            f"So few redraws don't tell it from {', nor from '.join(alike)}: intervals reach it."
        )
    return said


def _each(info: Any) -> str:
    made = sorted({int(n) for n in info.repeats})
    if len(made) == 1:
        return f"{counted(made[0], 'redraw')} of each size"
    return f"{digits(made[0])} to {counted(made[-1], 'redraw')} of each size"


def _share(p: float) -> str:
    return calculator.percent(math.log10(p)) if p > 0 else "0"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


WORDS = """
From the best configuration of the run above, k {many} are redrawn again and again, with α and
sub-sets as on this page, and each time the local optimiser is called ({optimiser}). How often it
ends lower, by more than 10⁻⁵ of the cost, estimates ε. The search is left alone by this.
"""
DISCARDED = (
    "The problem, α or the sub-sets are others now: what the former probe found is discarded."
)
CAPTION = (
    "n = {n}. Bars are Wilson's intervals: such bars hold the true ε in 95 of 100 probes. A "
    "triangle is the upper end where none improved. k = 0 redraws nothing: the control. "
    "Iterations are the local optimiser's, a redraw: a larger k may cost more of them."
)
