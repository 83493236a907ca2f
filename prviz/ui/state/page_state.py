"""The state of a page in a tab between script runs: plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from prviz.ui.state.presenting import NOTHING, Presenting


def send(to: str, benchmark: str, values: dict[str, Any], said: str = "") -> None:
    """Let another page open with these values and a message."""
    st.session_state[f"{to}-wanted"] = (benchmark, dict(values), said)


def received(page: str) -> tuple[str, dict[str, Any], str] | None:
    """Return the benchmark, values and message that another page has sent, or None."""
    return st.session_state.pop(f"{page}-wanted", None)


class Restored(NamedTuple):
    """The data needed to show a run again after a reload.

    Attributes
    ----------
    page : str
    values : dict
        Values of the controls when the run was made.
    own : object
        The user's data, if any.
    """

    page: str
    values: dict[str, Any]
    own: Any = None


@dataclass
class PageState:
    """The state of a page.

    Attributes
    ----------
    values : dict
        Values of its controls, by name.
    reconciled : dict
        The last values that were consistent with each other.
    opened : dict or None
        The values at opening; None after a change, because the address then has all values.
    amiss : str
        Error messages of the link, until a value changes.
    made : dict or None
        Values of the run shown.
    asked : bool
        Whether the user has just asked for a new run.
    autoplay : bool
        Whether the player starts at the first call.
    notice : str
        A message that the player shows, such as which controls changed and started a new run.
    at : dict
        From the link, as a query: the call at which the player opens, and the hash of the
        run's trace.
    said : Presenting
        The link's presentation settings.
    fixed : dict
        Values of hidden and locked controls.
    """

    values: dict[str, Any]
    reconciled: dict[str, Any] = field(default_factory=dict)
    opened: dict[str, Any] | None = None
    amiss: str = ""
    made: dict[str, Any] | None = None
    asked: bool = False
    autoplay: bool = False
    notice: str = ""
    at: dict[str, str] = field(default_factory=dict)
    said: Presenting = NOTHING
    fixed: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, page: str) -> PageState | None:
        """Return a page's state in this tab; None before its first script run."""
        return st.session_state.get(page)

    @classmethod
    def begin(cls, page: str, values: dict[str, Any]) -> PageState:
        """Return the state of a page that opens with these values."""
        return st.session_state.setdefault(page, cls(values, dict(values), dict(values)))
