"""Show me in a minute: a tour through the pages by their recordings, over Home."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from prviz.shipped import shipped
from prviz.ui.catalogue import benchmarks
from prviz.ui.serve import session
from prviz.ui.serve.component import address_of, tour, tour_event

SECONDS = 60
LANDSCAPE = (
    "The idea: descent gets stuck, a redraw jumps elsewhere, and only what is no worse is kept."
)
#: Where to go after it.
ONWARD = {
    "learn": "Learn it, lesson by lesson",
    "kmeans": "Try it on k-means",
    "race": "See in a race when it pays",
    "tuning": "Find settings for a problem",
}


class Stop(NamedTuple):
    """A page of the tour.

    Attributes
    ----------
    page, label, sentence : str
    still : (int, int)
        The call, and the frame in it, that is shown to who wants no motion.
    """

    page: str
    label: str
    sentence: str
    still: tuple[int, int]


def stops() -> list[Stop]:
    """Home, and every page that has a recording and a card."""
    shown = [Stop("home", "Home", LANDSCAPE, (2, 0))]
    for each in benchmarks():
        if each.card and each.card.shot:
            sentence = each.card.tour or each.claim
            still = (each.card.shot.call, each.card.shot.frame)
            shown.append(Stop(each.page, each.label, sentence, still))
    return shown


def offer() -> None:
    """The button that begins it; after it has ended, the way on."""
    state = _state()
    with st.container(key="tour", horizontal=True, vertical_alignment="center"):
        if st.button(
            "Show me in a minute",
            icon=":material/slideshow:",
            help=f"Plays recorded runs for {SECONDS} s. Press Escape to stop.",
        ):
            state.update(count=state["count"] + 1, ended=False)
        if state["ended"]:
            st.markdown("**The way on:**")
            for page, label in ONWARD.items():
                st.page_link(shipped("pages", f"{page}.py"), label=label)
    if state["count"]:
        tour(state["count"], [_as_data(stop) for stop in stops()], SECONDS, on_event=_on_event)


def _as_data(stop: Stop) -> dict[str, Any]:
    """A stop as the browser is told of it, its recording at hand."""
    run = session.recorded(stop.page, "tour", "")
    assert run is not None  # as of each stop
    return {**stop._asdict(), "page": address_of(stop.page), "run": run.id}


def _on_event() -> None:
    if tour_event() == "ended":
        _state()["ended"] = True


def _state() -> dict[str, Any]:
    """How often it was asked for in this tab, and whether the latest has been seen to its end."""
    return st.session_state.setdefault("tour", {"count": 0, "ended": False})
