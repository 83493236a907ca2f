"""Data sets as pandas tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def data_frame(rows: np.ndarray, columns: Sequence[str], index: Sequence[str] = ()) -> Any:
    """Return a pandas DataFrame of an array."""
    import pandas as pd

    return pd.DataFrame(rows, columns=[*columns], index=[*index] or None)
