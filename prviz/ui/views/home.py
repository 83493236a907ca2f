"""The Home page: the method on a small live landscape, and a card for every other page."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import streamlit as st

import prviz
from prviz.engine.schedule import Level
from prviz.player.live import LiveRun
from prviz.scenes.landscape import LandscapeScene
from prviz.shipped import shipped
from prviz.ui.benchmarks import kmeans
from prviz.ui.catalogue import benchmarks
from prviz.ui.own_data.data_input import OWN
from prviz.ui.serve import session
from prviz.ui.serve.component import player
from prviz.ui.serve.server import base_path, picture_version
from prviz.ui.state.page_state import PageState, send
from prviz.ui.widgets.controls import Control, Controls, changes

PAGE = "home"
NOTEBOOKS = ("start", "own-data", "compare", "tune", "hierarchy")
NOTEBOOKS_SAID = """
## In a notebook
The same player and sliders work in a Jupyter cell, with the notebook's kernel. Run
`pip install 'prviz[notebook]'`, and open one of five short notebooks:
"""
#: A landscape whose first ten seconds show all events: stuck, reverted, kept.
RIPPLE, LANDSCAPE = 4.0, 12
CALLS = 1000  # enough for 40 minutes in the player

TABLE = (
    Control(
        "dimensions",
        "choice",
        "Landscape",
        "1",
        "Number of coordinates of the ball. Each is a variable of the search.",
        choices={"1": "one dimension", "2": "two dimensions"},
    ),
    Control(
        "k1",
        "whole",
        "k₁",
        1,
        "Number of coordinates that a partial redraw changes: 1 in one dimension.",
        low=1,
        high=2,
        says="coordinates redrawn",
    ),
    Control(
        "alpha",
        "real",
        "α",
        0.7,
        "Share of its old value that a redrawn coordinate keeps. With α near 1 the ball makes "
        "small steps; with α = 0 its new position is independent of the old one. Equation (1) of "
        "the paper.",
        low=0.0,
        high=1.0,
        says="of the old value kept",
    ),
    Control(
        "m1",
        "whole",
        "M₁",
        10,
        "Number of partial redraws per full restart.",
        low=1,
        high=100,
        says="redraws per restart",
    ),
    Control(
        "seed",
        "whole",
        "Seed",
        4,
        "The same seed gives the same run.",
        low=0,
        high=2**31 - 1,
    ),
)
DEFAULTS = {control.name: control.default for control in TABLE}

#: Mean calls until the lowest hollow was found, over SEEDS seeds (0, 1, …), with M₁ = 10, on this
#: page's landscape: (dimensions, k₁) → α → calls. `tests/ui/test_home_page.py` measures them.
SEEDS = 1000
MEAN_CALLS = {
    (1, 1): {0.0: 10.3, 0.7: 5.3, 0.9: 21.8},
    (2, 1): {0.0: 50.0, 0.7: 38.1, 0.9: 165.1},
    (2, 2): {0.0: 104.6, 0.7: 27.5, 0.9: 115.1},
}


def n_coordinates(values: dict[str, Any]) -> int:
    return int(values["dimensions"])


def standard(values: dict[str, Any]) -> bool:
    """Return True for the standard method: every redraw is a full restart."""
    return min(values["k1"], n_coordinates(values)) == n_coordinates(values) and not values["alpha"]


def levels(values: dict[str, Any]) -> list[Level]:
    """Return the hierarchy, level 1 first."""
    n = n_coordinates(values)
    first = Level(min(values["k1"], n), values["m1"], values["alpha"])
    return [Level(n)] if standard(values) else [first, Level(n)]


def problem(values: dict[str, Any]) -> tuple[Any, LandscapeScene]:
    """Return the landscape and its scene."""
    made = prviz.landscape(n_coordinates(values), RIPPLE, seed=LANDSCAPE)
    return made, LandscapeScene(made)


def live_run(values: dict[str, Any], calls: int = CALLS) -> LiveRun:
    """Return a prepared run of these values."""
    return LiveRun(
        *problem(values),
        levels(values),
        seed=values["seed"],
        seconds=None,
        calls=calls,
        compare=False,
    )


def says(values: dict[str, Any]) -> str:
    """Describe a redraw with these values, in one or two sentences."""
    if standard(values):
        return "Every redraw is a full restart: the standard method."
    if n_coordinates(values) == 1:
        return (
            "With one coordinate there is no smaller sub-set. With a larger α, a redraw is a "
            "shorter step."
        )
    if values["k1"] == 1:
        return "One of the two coordinates is redrawn, the other stays where it is."
    return "Both coordinates are redrawn. α sets how far they move."


def calls_table() -> str:
    """Return ``MEAN_CALLS`` as a Markdown table."""
    alphas = list(next(iter(MEAN_CALLS.values())))
    heads = ["redrawn", *(f"α = {alpha:g}" for alpha in alphas)]
    lines = [f"| {' | '.join(heads)} |", "|---|" + "--:|" * 3]
    for (n, k1), calls in MEAN_CALLS.items():
        what = f"{k1} of {n} coordinates" if n > 1 else "one dimension"
        cells = [f"{calls[alpha]:.1f}" for alpha in alphas]
        if k1 == n:
            cells[0] += ", all restarts"
        lines.append(f"| {what} | {' | '.join(cells)} |")
    return "\n".join(lines)


def learn() -> None:
    """Draw a link to the lessons, for new users."""
    st.page_link(
        shipped("pages", "learn.py"), label="Learn it in 14 lessons", icon=":material/school:"
    )


def _own_data() -> None:
    """Draw buttons to the k-means page for your own points: drawn, or from a table."""
    clusters = kmeans.N_CLUSTERS[kmeans.DRAW]
    _own_data_button("Draw your own points", "draw", {"data": kmeans.DRAW, "n_clusters": clusters})
    _own_data_button("Bring your own table", "upload_file", {"data": OWN})


def _own_data_button(label: str, icon: str, values: dict[str, Any]) -> None:
    """Draw a button that opens the k-means page; send ``values`` if the page has other data."""
    to = kmeans.BENCHMARK.page
    if st.button(label, icon=f":material/{icon}:"):
        state = PageState.of(to)
        if state is None or state.values["data"] != values["data"]:
            send(to, to, values)
        st.switch_page(shipped("pages", f"{to}.py"))


def theatre() -> None:
    """Draw the small live landscape, with its controls beside it."""
    state = PageState.begin(PAGE, dict(DEFAULTS))
    with st.container(key="start", horizontal=True, gap="medium"):
        with st.container(key="landscape"):
            _landscape(state)
        with st.container(key="settings"):
            _controls(state.values)
            with st.container(key="own-data", horizontal=True, gap="small"):
                _own_data()


def _landscape(state: PageState) -> None:
    tab, values, made = session.tab(), state.values, state.made
    run = tab.run(PAGE)
    if run is None or values != made:
        run = live_run(values)
        run.start()  # the run is short, so the searches of other pages need not stop
        tab.take(PAGE, run, start=False)
        state.notice = changes(made, values, TABLE) if made else ""
        state.made = dict(values)
    waiting = not run.kernels_ready()
    recording = session.recorded(PAGE) if waiting else None
    if waiting:
        if made and values != made:
            state.notice += "; this takes effect after the kernels are compiled"
        session.wait_for_kernels(PAGE, state)
    player(
        recording.id if recording else run.id,
        {},
        page=PAGE,
        autoplay=True,
        compact=True,
        notice=state.notice,
        on_event=lambda: None,
    )


def _controls(values: dict[str, Any]) -> None:
    controls = Controls(PAGE, TABLE, values)
    controls.choice("dimensions")
    controls.slider("k1", disabled=n_coordinates(values) == 1)
    controls.slider("alpha")
    controls.slider("m1", disabled=standard(values))
    controls.seed("seed")
    st.caption(says(values))


def cards() -> None:
    """Draw a picture, a name and a line for every page; the whole card is a link."""
    with st.container(key="cards", horizontal=True):
        for benchmark in benchmarks():
            if benchmark.card is not None:
                _card(benchmark.page, benchmark.label, benchmark.card.line)


def notebooks() -> None:
    """Draw download buttons for the shipped notebooks, in reading order."""
    st.markdown(NOTEBOOKS_SAID)
    with st.container(key="notebooks", horizontal=True):
        for name in NOTEBOOKS:
            source = shipped("notebooks", f"{name}.ipynb").read_bytes()
            st.download_button(
                heading(source),
                source,
                f"prviz-{name}.ipynb",
                "application/x-ipynb+json",
                key=f"notebook-{name}",
                icon=":material/download:",
                on_click="ignore",
            )


def heading(notebook: bytes) -> str:
    """Return a notebook's name: the heading of its first cell, up to a colon."""
    first = "".join(json.loads(notebook)["cells"][0]["source"])
    return first.partition("\n")[0].removeprefix("# ").partition(":")[0]


def _card(page: str, label: str, line: str) -> None:
    with st.container(key=f"card-{page}"):
        if picture := _picture(page):
            st.html(picture)
        st.page_link(shipped("pages", f"{page}.py"), label=label)
        st.markdown(line)


def _picture(page: str) -> str:
    """Return the picture of a card as HTML, or "" if there is none."""
    addresses = []
    for scheme in ("dark", "light"):
        name = f"{page}-{scheme}.webp"
        if (version := picture_version(name)) is None:
            return ""
        addresses.append(escape(f"{base_path()}player/pictures/{name}?v={version}"))
    dark, light = addresses
    return (
        f'<picture><source srcset="{dark}" media="(prefers-color-scheme: dark)">'
        f'<img src="{light}" alt="" width="464" height="224"></picture>'
    )
