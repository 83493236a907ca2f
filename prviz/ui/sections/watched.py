"""A section below the picture that shows a background job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from prviz.ui.widgets.controls import remembered

EVERY = 0.5  # seconds between updates while the job runs


def watched(
    label: str, icon: str, key: str, job: Callable[[], Any], body: Callable[[Any], None]
) -> None:
    """Draw the section, with content only while it is open; update it while its job runs.

    Parameters
    ----------
    label, icon, key : str
        Label, icon and key of the expander.
    job : function
        Return the job, or None; called on each update, because a fragment keeps old arguments.
    body : function of the job
        Draw the content.
    """
    found = job()
    active = found is not None and found.active
    fragment = st.fragment(_section, run_every=EVERY if active else None)
    fragment(label, icon, key, job, body, active)


def stop_button(job: Any, key: str) -> None:
    """Draw a button that stops a running job."""
    active = job is not None and job.active
    st.button(
        "Stop",
        icon=":material/stop:",
        key=f"{key}-stop",
        disabled=not active,
        on_click=job.stop if active else None,
    )


def _section(
    label: str,
    icon: str,
    key: str,
    job: Callable[[], Any],
    body: Callable[[Any], None],
    was_active: bool,
) -> None:
    found = job()
    if was_active and not (found and found.active):
        st.rerun()  # ends the polling
    opened = st.expander(
        label, icon=f":material/{icon}:", key=remembered(key, False), on_change="rerun"
    )
    if opened.open:
        with opened:
            body(found)
