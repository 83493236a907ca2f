"""The choice of a table's columns, of their scaling, and of the treatment of missing values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from prviz.datasets import Points
from prviz.datasets.readers.points import points_of
from prviz.datasets.readers.tables import Table
from prviz.ui.widgets.controls import Control, Controls
from prviz.ui.widgets.formatting import counted

ROWS = 5  # rows of the preview
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")

CONTROLS = (
    Control(
        "columns",
        "text",
        "Columns",
        "",
        "Columns to use; all columns if you choose none.",
        high=400,
        later=True,
        told=lambda text: text or "all",
    ),
    Control(
        "scale",
        "choice",
        "Scale",
        "none",
        "Standard: subtract the mean, divide by the standard deviation. Robust: subtract the "
        "median, divide by the interquartile range. Without scaling, columns with large numbers "
        "dominate.",
        choices={"none": "As they are", "standard": "Standard", "robust": "Robust"},
        later=True,
    ),
    Control(
        "missing",
        "choice",
        "Missing values",
        "stop",
        "How to treat rows that have a missing value in the chosen columns.",
        choices={"stop": "Show an error", "drop": "Drop these rows"},
        later=True,
    ),
)
NAMES = tuple(control.name for control in CONTROLS)


def chosen(text: str, columns: Sequence[str]) -> list[str]:
    """Return the names of columns "1-3,7", counted from 1; all names if the text is empty."""
    numbers: set[int] = set()
    for part in text.split(","):
        if match := _RANGE.fullmatch(part.strip()):
            first, last = int(match[1]), int(match[2] or match[1])
            numbers.update(range(first, min(last, len(columns)) + 1))
    return [name for i, name in enumerate(columns, 1) if i in numbers] or [*columns]


def numbered(names: Sequence[str], columns: Sequence[str]) -> str:
    """Return column numbers as text such as "1-3,7"; empty for all columns."""
    numbers = sorted(columns.index(name) + 1 for name in names)
    if len(numbers) in (0, len(columns)):
        return ""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def points(table: Table, columns: str, scale: str, missing: str) -> Points:
    """Return the chosen points; raise a ValueError if the choice is invalid."""
    try:
        names = chosen(columns, table.columns) if columns else None
        return points_of(table, names, scale, missing)
    except ValueError as error:
        sentence = str(error).replace(' (missing="drop")', "")
        raise ValueError(f"{table.name}: {sentence}") from None


def code(table: Table, values: dict[str, Any]) -> str:
    """Return Python code that makes the same ``points`` from ``file``."""
    columns = chosen(values["columns"], table.columns) if values["columns"] else None
    arguments = f"{columns!r}, {values['scale']!r}, {values['missing']!r}"
    return (
        "table = prviz.datasets.read_table(file)\n"
        f"points = prviz.datasets.points_of(table, {arguments}).points"
    )


def choose(controls: Controls, table: Table) -> None:
    """Draw a preview of the table, and the controls of its columns."""
    n, d = table.values.shape
    st.caption(f"**{table.name}**: {counted(n, 'row')}, {counted(d, 'column')} of numbers.")
    with st.popover("First rows", icon=":material/table_rows:"):
        st.dataframe(_head(table), hide_index=True, height="content")
    if d > 1:
        _columns(controls, table)
    controls.choice("scale")
    if np.isnan(table.values).any():
        controls.choice("missing")


def _columns(controls: Controls, table: Table) -> None:
    values, key = controls.values, f"{controls.page}-columns-several"
    if not controls.shows("columns"):
        return
    names = chosen(values["columns"], table.columns)
    now = names if values["columns"] else []
    if st.session_state.get(key) != now:
        st.session_state[key] = now

    def take() -> None:
        values["columns"] = numbered(st.session_state[key], table.columns)

    st.multiselect(
        "Columns",
        [*table.columns],
        key=key,
        on_change=take,
        placeholder=f"All {len(table.columns)} columns",
        disabled=controls.locks("columns"),
        help=next(control.help for control in CONTROLS if control.name == "columns"),
    )


def choose_one(controls: Controls, name: str, columns: Sequence[str], none: str) -> None:
    """Draw a control whose value is the number of a column, from 1, or 0 for no column."""
    if not controls.shows(name):
        return
    values, control = controls.values, controls.table[name]
    key = f"{controls.page}-{name}-one"
    if st.session_state.get(key) != values[name]:
        st.session_state[key] = values[name]
    st.selectbox(
        control.label,
        range(len(columns) + 1),
        format_func=lambda number: columns[number - 1] if number else none,
        key=key,
        on_change=lambda: values.update({name: st.session_state[key]}),
        disabled=controls.locks(name),
        help=control.help,
    )


def _head(table: Table) -> dict[str, Any]:
    """Return the first rows, each with its line number."""
    shown = {"line": table.lines[:ROWS]}
    return {**shown, **dict(zip(table.columns, table.values[:ROWS].T, strict=True))}
