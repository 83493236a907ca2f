"""The tour "Show me in a minute", which plays the pages' recordings over Home."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from prviz.ui.catalogue import benchmarks
from prviz.ui.serve import session
from prviz.ui.serve.component import address_of, tour

SECONDS = 60
LANDSCAPE = (
    "The idea: descent gets stuck, a redraw jumps to another place, and the result is kept if "
    "it is no worse."
)
#: Links at the end of the tour.
ONWARD = {
    "learn": "Learn it, lesson by lesson",
    "kmeans": "Try it on k-means",
    "race": "See when it pays off, in a race",
    "tuning": "Find settings for a problem",
}


class Stop(NamedTuple):
    """A stop of the tour.

    Attributes
    ----------
    page, label, sentence : str
    still : (int, int)
        The call and frame shown with reduced motion.
    """

    page: str
    label: str
    sentence: str
    still: tuple[int, int]


def stops() -> list[Stop]:
    """Return the stops: Home, and every page with a recording and a card."""
    shown = [Stop("home", "Home", LANDSCAPE, (2, 0))]
    for each in benchmarks():
        if each.card and each.card.shot:
            sentence = each.card.tour or each.claim
            still = (each.card.shot.call, each.card.shot.frame)
            shown.append(Stop(each.page, each.label, sentence, still))
    return shown


def offer() -> None:
    """Draw the button of the tour, and the tour after a click."""
    with st.container(key="tour", horizontal=True, vertical_alignment="center"):
        if st.button(
            "Show me in a minute",
            icon=":material/slideshow:",
            help=f"Plays recorded runs for {SECONDS} s. Press Escape to stop.",
        ):
            st.session_state["tour"] = st.session_state.get("tour", 0) + 1
    if count := st.session_state.get("tour"):
        onward = [(address_of(page), label) for page, label in ONWARD.items()]
        tour(count, [_as_data(stop) for stop in stops()], SECONDS, onward)


def _as_data(stop: Stop) -> dict[str, Any]:
    """Return a stop for the browser, with its recording loaded."""
    run = session.recorded(stop.page, "tour", "")
    assert run is not None  # every stop has a recording
    return {**stop._asdict(), "page": address_of(stop.page), "run": run.id}
