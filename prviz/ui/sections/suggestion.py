"""Suggest k₁ and M₁ for your own data, from a probe."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from prviz.figures.epsilon import epsilon_info
from prviz.search.probe import Probe
from prviz.ui.sections.advice import Advice, Asked, advise
from prviz.ui.sections.epsilon import DELTA, Probed, progress, sizes
from prviz.ui.sections.probing import Probing
from prviz.ui.sections.watched import EVERY
from prviz.ui.serve import session
from prviz.ui.widgets.formatting import counted, digits

# redraws per size; they take a few seconds, and suffice to compare the best size with restarts
REPEATS = 200
HELP = (
    f"Starts from a configuration near the best, and makes {REPEATS} redraws of each of several "
    "sizes. Reports which size improves the cost with the least work. All results are below the "
    "picture."
)


class Offer(NamedTuple):
    """The context of the section.

    Attributes
    ----------
    cost : function of k and M
        Return the calls and the time of a run with these values, as text.
    tune : function
        Go to the Tuning page.
    """

    cost: Callable[[int, int], str]
    tune: Callable[[], None]


def suggestion(about: Probed, offer: Offer) -> None:
    """Draw the button for a suggestion, the progress of its probe, or the result."""
    probing, run = about.probing, about.run
    key = f"{about.page}-suggestion"
    with st.container(key=key, gap="small"):
        if probing is None or run is None or not probing.fits(run):
            st.button(
                "Suggest k₁ and M₁",
                icon=":material/labs:",
                key=f"{key}-ask",
                help=HELP,
                on_click=_ask,
                args=(about,),
            )
        elif probing.active:
            _wait_for(about)
        elif probing.trouble:
            st.error(probing.trouble, icon=":material/error:")
        elif probing.found is not None:
            _suggest(about, offer, probing, probing.found)


def _ask(about: Probed) -> None:
    tried = sorted({0, about.usual.k, *sizes(about.n)})
    session.tab().probe(about.page, Probing(about.held_run, tried, REPEATS, 0))


@st.fragment(run_every=EVERY)
def _wait_for(about: Probed) -> None:
    probing = about.probing
    if probing is None or not probing.active:
        st.rerun()
    progress(probing)
    key = f"{about.page}-suggestion-stop"
    st.button("Stop", icon=":material/stop:", key=key, on_click=probing.stop)


def _suggest(about: Probed, offer: Offer, probing: Probing, probe: Probe) -> None:
    key, asked = f"{about.page}-suggestion", Asked(about.n, about.usual, probing.start.gap, DELTA)
    found = advise(probe, epsilon_info(probe), asked)
    st.markdown(said(found, probing, offer.cost))
    with st.container(key=f"{key}-row", horizontal=True, gap="small"):
        if found.k:
            st.button(
                f"Use k₁ = {found.k}",
                icon=":material/tune:",
                key=f"{key}-use",
                on_click=_use,
                args=(about, found.k, found.m),
            )
        if st.button("Tune this", icon=":material/tune:", key=f"{key}-tune"):
            offer.tune()


def _use(about: Probed, k: int, m: int) -> None:
    about.send(k, m)


def said(found: Advice, probing: Probing, cost: Callable[[int, int], str]) -> str:
    """Return the suggestion and its cost, or the reason why there is none."""
    made = f"{counted(probing.repeats, 'redraw')} of each of {len(probing.sizes)} sizes"
    if found.k is None:
        why = found.said[-1] if found.said else "No redraws were made."
        return f"After {made}: {why} Tuning compares complete settings."
    return (
        f"**k₁ = {found.k}, M₁ = {digits(found.m)}** needs the least work per improvement, after "
        f"{made}. {cost(found.k, found.m)}"
    )
