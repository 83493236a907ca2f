"""The projection of points with more than two columns, stored as text for links."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import streamlit as st

from prviz.datasets import Points
from prviz.datasets.projection import View
from prviz.ui.widgets.controls import Control, Controls

PCA = ""  # principal components, also in links without a view
_PAIR = re.compile(r"([1-9][0-9]{0,5}),([1-9][0-9]{0,5})")


def columns(text: str) -> tuple[int, int] | None:
    """Return the numbers of two columns, from 0; None for principal components.

    Raises
    ------
    ValueError
        The text is neither empty nor two different columns.
    """
    if text == PCA:
        return None
    found = _PAIR.fullmatch(text)
    if not found or found[1] == found[2]:
        raise ValueError("is not two columns, like 1,3")
    return int(found[1]) - 1, int(found[2]) - 1


CONTROL = Control(
    "view",
    "text",
    "",
    PCA,
    "Columns to show; empty for the default.",
    high=13,
    check=columns,
    later=True,
)


def fit_view(values: dict[str, Any], dataset: Points) -> str:
    """Adjust the view to data with fewer columns; return a message if it changed."""
    d, chosen = dataset.points.shape[1], columns(values["view"])
    if chosen is None or (d > 2 and max(chosen) < d):
        return ""
    message = f"The data have only {d} columns: the default view replaces {values['view']}."
    values["view"] = PCA
    return message


def view_of(values: dict[str, Any], dataset: Points) -> View:
    """Return the view as an argument of a scene."""
    return None if dataset.points.shape[1] <= 2 else columns(values["view"])


def choose_view(controls: Controls, dataset: Points) -> None:
    """Draw the choice of view for points with more than two columns."""
    d = dataset.points.shape[1]
    if d <= 2 or not controls.shows(CONTROL.name):
        return
    values, chosen = controls.values, columns(controls.values["view"])

    def put(pair: tuple[int, int] | None) -> None:
        values["view"] = PCA if pair is None else f"{pair[0] + 1},{pair[1] + 1}"

    kinds = {True: "Components", False: "Two columns"}
    _select(
        controls, "Shown", kinds, chosen is None, lambda pca: put(None if pca else (0, 1)), HELP
    )
    if chosen is None:
        return
    names = {number: _name(number, dataset) for number in range(d)}
    across, upwards = chosen
    for label, mine, other, place in (
        ("across", across, upwards, lambda new: put((new, upwards))),
        ("upwards", upwards, across, lambda new: put((across, new))),
    ):
        free = {number: name for number, name in names.items() if number != other}
        _select(controls, label, free, mine, place)


def _select(
    controls: Controls,
    label: str,
    choices: dict[Any, str],
    value: Any,
    put: Callable[[Any], None],
    told: str | None = None,
) -> None:
    """Draw a label and a select box, in the style of the other controls."""
    key = f"{controls.page}-view-{label.lower()}"
    _mirror(key, value)
    with st.container(
        key=f"{key}-line", horizontal=True, wrap=False, vertical_alignment="center", gap="small"
    ):
        st.markdown(f"**{label}**", help=told)
        st.selectbox(
            label,
            list(choices),
            format_func=choices.__getitem__,
            key=key,
            disabled=controls.locks(CONTROL.name),
            label_visibility="collapsed",
            on_change=lambda: put(st.session_state[key]),
        )


def _name(number: int, dataset: Points) -> str:
    return dataset.columns[number] if dataset.columns else f"Column {number + 1}"


def _mirror(key: str, value: Any) -> None:
    """Set a widget's state to the value, if it differs."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


HELP = (
    "Changes only the picture. The search uses all columns, and runs again from the same seed. "
    "Principal components are the directions in which the points vary most."
)
