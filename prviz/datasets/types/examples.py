"""The type of binary examples, and a check of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import display
from ..check import reject_masked, reject_sparse
from .frame import data_frame


class Examples(NamedTuple):
    """
    Binary examples with their source.

    Parameters
    ----------
    examples : ndarray of uint8, shape (n, n_visible)
        One example per row: 0 or 1 for each visible unit.
    name : str
        Name to show on a page.
    source : str
        Source to credit.
    patterns : ndarray of uint8, shape (n_patterns, n_visible), or None
        The original patterns, if known.
    notice : str
        A notice to show with the set; may be empty.
    """

    examples: np.ndarray
    name: str
    source: str
    patterns: np.ndarray | None = None
    notice: str = ""

    figure, _repr_html_ = display.figure, display.card  # type: ignore[misc]

    def to_frame(self) -> Any:
        """Return the examples as a pandas DataFrame, one column per visible unit."""
        return data_frame(self.examples, [*map(str, range(self.examples.shape[1]))])


def check_examples(examples: Any) -> np.ndarray:
    """
    Return `examples` as a new uint8 array, or raise an error that names the fault.

    Parameters
    ----------
    examples : Examples, array_like or pandas.DataFrame, shape (n, n_visible)
        n ≥ 1 and n_visible ≥ 1; whole or real numbers, or booleans, that are 0 or 1.

    Returns
    -------
    ndarray of uint8, shape (n, n_visible)

    Raises
    ------
    TypeError, ValueError
    """
    if isinstance(examples, Examples):
        examples = examples.examples
    if hasattr(examples, "columns") and hasattr(examples, "to_numpy"):
        examples = examples.to_numpy()
    reject_sparse(examples, "examples")
    reject_masked(examples, "examples")
    try:
        array = np.asarray(examples)
    except ValueError:
        raise ValueError("examples must be rows of equal length.") from None
    if array.size == 0:
        raise ValueError("examples are empty: give at least one, with one visible unit.")
    if array.ndim != 2:
        raise ValueError(
            f"examples must have two dimensions (examples, visible units), got {array.ndim} "
            f"(shape {array.shape}): give one example per row."
        )
    if array.dtype.kind not in "biuf":
        raise TypeError(f"examples must be zeros and ones, got {array.dtype}: convert them first.")
    wrong = ~((array == 0) | (array == 1))
    if wrong.any():
        row, column = (int(i) for i in np.unravel_index(np.argmax(wrong), array.shape))
        raise ValueError(
            f"examples[{row}, {column}] is {array[row, column]}: every entry must be 0 or 1."
        )
    return np.array(array, np.uint8, order="C")
