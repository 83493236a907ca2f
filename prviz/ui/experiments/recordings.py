"""Recorded results that Race and Tuning show before Run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from prviz.player.batch.recorded import RecordedRuns, load_runs
from prviz.player.resources.store import RUNS
from prviz.shipped import shipped

FOLDER = shipped("assets", "recorded")


@st.cache_resource(show_spinner=False)
def recording(page: str, benchmark: str) -> RecordedRuns | None:
    """Return the shipped recording of a page for a benchmark; None if there is none."""
    path = FOLDER / f"{page}-{benchmark}.npz"
    return load_runs(path) if path.exists() else None


def as_opened(page: str, benchmark: str) -> tuple[Any, dict[str, Any]]:
    """Return the runs that Race or Tuning opens with, and the values that they depend on."""
    from streamlit.testing.v1 import AppTest

    main = Path(__file__).parents[1] / "main.py"
    app = AppTest.from_file(str(main), default_timeout=60)
    app.query_params["page"] = benchmark
    app.switch_page(str(shipped("pages", f"{page}.py"))).run()
    return RUNS[app.session_state["runs"][page]], app.session_state[page].made
