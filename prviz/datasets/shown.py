"""What every data set shows of itself in a notebook, and hands over as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def figure(data: Any) -> Any:
    """Return a picture of the data, as a Plotly figure."""
    from ..figures.dataset import figure_of

    return figure_of(data)


def card(data: Any) -> str:
    """HTML: what it is called, whom to credit, how large it is, and a still picture."""
    from ..figures.card import card as made

    rows = [("source", data.source), ("shape", " × ".join(map(str, data[0].shape)))]
    if (known := getattr(data, "best_known", None)) is not None:
        rows.append(("best known", f"{known:.10g}"))
    if getattr(data, "stand_in", False):
        rows.append(("stand-in", "generated, or shown, in place of another set"))
    if data.notice:
        rows.append(("note", data.notice))
    return made(data.name, rows, data.figure, alt=f"A picture of {data.name}")


def table(rows: np.ndarray, columns: Sequence[str], index: Sequence[str] = ()) -> Any:
    """Return a pandas DataFrame of an array."""
    import pandas as pd

    return pd.DataFrame(rows, columns=[*columns], index=[*index] or None)
