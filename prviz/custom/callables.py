"""Call your own functions, check their results, and report errors with file and line."""

from __future__ import annotations

import inspect
import math
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..checks import whole_number


class Failed(FloatingPointError):
    """One of your functions failed. The search ends, as it does when an optimiser diverges."""


class WrappedState(NamedTuple):
    """The configuration x of a wrapped problem.

    Attributes
    ----------
    values : (n, ...) array, or (1,) object
        x itself if it is an array. Otherwise an array with x as its only element. The object is
        replaced and never changed in place, so copying the array copies the state.
    """

    values: np.ndarray

    @property
    def x(self) -> Any:
        """Return the configuration in the form that the functions use."""
        return self.values[0] if self.values.dtype.hasobject else self.values


class JudgedState(NamedTuple):
    """The configuration x of a wrapped problem in Python, and whether x was rejected.

    Attributes
    ----------
    values
        See :class:`WrappedState`.
    rejected : (1,) bool
        True if the optimiser reported failure. Then the cost of x counts as +∞.
    """

    values: np.ndarray
    rejected: np.ndarray

    CACHES = ("rejected",)  # type: ignore[misc]

    @property
    def x(self) -> Any:
        """Return the configuration in the form that the functions use."""
        return WrappedState(self.values).x


def call(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function; add file and line to an exception."""
    try:
        return function(*arguments)
    except Exception as error:
        raise Failed(f"{name} raised {words_of(error)} ({place_of(error, function)})") from error


def words_of(error: Exception) -> str:
    """Return the type and message of an exception."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def place_of(error: Exception, function: Callable[..., Any]) -> str:
    """Return file, line and name of the innermost frame in the file that defines ``function``."""
    frames: list[traceback.FrameSummary] = traceback.extract_tb(error.__traceback__)
    frames = frames[1:] or frames  # skip prviz's own frame
    code = _code(function)
    own = [frame for frame in frames if code and frame.filename == code.co_filename]
    last = (own or frames)[-1]
    return f"{last.filename}, line {last.lineno}, in {last.name}"


def checked_cost(function: Callable[..., Any], x: Any) -> float:
    """Return the cost of a configuration; raise ``Failed`` unless it is a finite number."""
    returned = call("cost", function, x)
    try:
        cost = as_number(returned)
    except (TypeError, ValueError):
        raise Failed(f"cost returned {returned!r}{_defined(function)}, not a number") from None
    if not math.isfinite(cost):
        raise Failed(
            f"cost returned {cost}{_defined(function)}: a cost must be finite. Return a large "
            f"number for invalid x"
        )
    return cost


def as_number(value: Any) -> float:
    """Return a number, or an array of one number, as a float.

    Raises
    ------
    TypeError, ValueError
        The value is neither.
    """
    if isinstance(value, float):
        return value
    if isinstance(value, str | bytes):
        raise TypeError("got a text")
    of_numpy = isinstance(value, np.generic) or np.ndim(value)
    return float(np.asarray(value).item() if of_numpy else value)


def _code(function: Callable[..., Any]) -> Any:
    """Return the code object of a function or of a callable object."""
    function = inspect.unwrap(function)
    called = function if hasattr(function, "__code__") else type(function).__call__
    return getattr(called, "__code__", None)


def _defined(function: Callable[..., Any]) -> str:
    code = _code(function)
    if code is None:
        return ""
    return f" ({code.co_filename}, line {code.co_firstlineno}, in {code.co_name})"


def check_array(name: str, function: Callable[..., Any], model: np.ndarray, found: Any) -> None:
    """Check that an array has the shape and type of ``model``, the first sample."""
    if isinstance(found, np.ndarray) and (found.shape, found.dtype) == (model.shape, model.dtype):
        return
    place = _defined(function)
    if not isinstance(found, np.ndarray):
        hint = ": pass results=True to prviz.wrap" if hasattr(found, "success") else ""
        raise Failed(f"{name} returned {kind_of(found)}{place}, not an array{hint}")
    if found.shape != model.shape:
        raise Failed(f"{name} returned shape {found.shape}, not {model.shape}{place}")
    if not np.can_cast(found.dtype, model.dtype, "same_kind"):
        raise Failed(
            f"{name} returned numbers of type {found.dtype}{place}, but sample returns "
            f"{model.dtype}, which cannot represent them"
        )


def kind_of(value: Any) -> str:
    """Return the kind of a value that is not an array of numbers."""
    if isinstance(value, np.ndarray):
        return "an array of objects"
    return f"{type(value).__name__}"


def model_of_array(
    drawn: Any, n_variables: int | None, groups: Any
) -> tuple[WrappedState, int, tuple[np.ndarray, ...] | None]:
    """Return a state, N, and the rows of each variable; raise an error unless x is an array."""
    if not isinstance(drawn, np.ndarray) or drawn.dtype.hasobject:
        raise TypeError(
            f"sample must return a NumPy array of numbers, got {kind_of(drawn)}: for other "
            "objects pass n_variables, and the functions get and set, which read and write "
            "one variable."
        )
    if drawn.ndim < 1 or not len(drawn):
        raise ValueError("sample must return an array with at least one row, got none.")
    n = len(drawn)
    if groups is not None and n_variables is not None:
        raise ValueError("Pass either n_variables or groups, not both.")
    if n_variables is not None and whole_number(n_variables, "n_variables") != n:
        raise ValueError(
            f"n_variables is {n_variables}, but sample returns {n} rows: each row is a variable. "
            f"Pass groups to combine rows."
        )
    rows = None if groups is None else _rows_of(groups, n)
    return WrappedState(np.zeros_like(drawn, order="C", subok=False)), len(rows or drawn), rows


def _rows_of(groups: Any, n: int) -> tuple[np.ndarray, ...]:
    try:
        rows = tuple(
            np.array([whole_number(i, "a row") for i in each], np.int64) for each in groups
        )
    except TypeError:
        raise TypeError("groups must be lists of row numbers: [[0, 1], [2, 3]].") from None
    if not rows or sorted(i for each in rows for i in each.tolist()) != list(range(n)):
        raise ValueError(f"groups must contain every row of x, 0 to {n - 1}, exactly once.")
    if not all(map(len, rows)):
        raise ValueError("groups contains an empty group: leave it out.")
    return rows


def of_functions(problem: Any) -> bool:
    """Return True if a problem consists of user functions, which may change."""
    return getattr(problem, "of_functions", False)
