"""What a tab keeps of a page between two script runs: plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from prviz.ui.state.presenting import NOTHING, Presenting


def send(to: str, benchmark: str, values: dict[str, Any], said: str = "") -> None:
    """Let another page open with these values of a benchmark, and say something of them."""
    st.session_state[f"{to}-wanted"] = (benchmark, dict(values), said)


def received(page: str) -> tuple[str, dict[str, Any], str] | None:
    """The benchmark and the values that another page has sent, and what it says of them."""
    return st.session_state.pop(f"{page}-wanted", None)


class Restored(NamedTuple):
    """What a page needs to show a run again after a reload.

    Attributes
    ----------
    page : str
    values : dict
        Of the controls, when the run was made.
    own : object
        The data that the tab was given, if any.
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
        Those of its controls, by name.
    reconciled : dict
        The same as they were when they last fitted each other.
    opened : dict or None
        The same as the page opened with them, until they change: from then on its address has them.
    amiss : str
        What was wrong with the link, in words, until a value changes.
    made : dict or None
        The values of the run that is shown.
    asked : bool
        Whether Run was pressed just now and needs a fresh run.
    autoplay : bool
        Whether the player plays the run from its first call.
    notice : str
        What changed, in words.
    at : dict
        The call at which the player opens, and the trace that a link was made of.
    said : Presenting
        What the link said to a class.
    fixed : dict
        The values that nobody is to change.
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
        """That of a page in this tab; None before its first script run."""
        return st.session_state.get(page)

    @classmethod
    def begin(cls, page: str, values: dict[str, Any]) -> PageState:
        """The state of a page that opens with these values."""
        return st.session_state.setdefault(page, cls(values, dict(values), dict(values)))
