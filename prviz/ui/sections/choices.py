"""A map over time of the sizes that a search with ``k1="auto"`` chose."""

from __future__ import annotations

import streamlit as st

from prviz.engine.kernels import n_variables
from prviz.ui.serve import session
from prviz.ui.serve.chart import chart
from prviz.ui.widgets.controls import remembered

EVERY = 1.0  # seconds between updates while the search runs


def choices(page: str) -> None:
    """Draw the section if the page's search chooses its sizes."""
    run = session.tab().run(page)
    if run is None or not run.schedule.automatic:
        return
    opened = st.expander(
        "What did the search choose?",
        icon=":material/tune:",
        key=remembered(f"{page}-choices", False),
        on_change="rerun",
    )
    if opened.open:
        with opened:
            st.fragment(_map, run_every=EVERY if run.active else None)(page, run.active)


def _map(page: str, was_active: bool) -> None:
    """Draw the map of the page's present run.

    The run is not an argument, because Streamlit repeats a fragment with its old arguments.
    """
    from prviz.figures.choices.sizes import plot_sizes, sizes_info

    run = session.tab().run(page)
    if was_active and not (run and run.active):
        st.rerun()  # ends the polling
    trace = run.trace() if run else None
    if run is None or not trace:
        st.markdown("No calls yet.")
        return
    info = sizes_info(trace)
    figure = plot_sizes(info, n_variables(run.problem), run.layout()["noun"][1])
    title = "Sizes that the search chose"
    alt = f"{title}, and its {len(info.restarts)} restarts, against calls."
    chart(figure, f"{page}-choices-map", alt, title)
    st.caption(CAPTION)


CAPTION = (
    "A darker cell means that more calls redrew this number of variables. The search chooses a "
    "size more often if it improves the cost with little work. Marks on top are restarts."
)
