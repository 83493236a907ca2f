"""End a search when its evaluations are used up, or when the user's callback ends it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np


class Watch:
    """Call the user's callback, which can end the search, after each optimiser call.

    Parameters
    ----------
    callback : callable or None
        ``callback(intermediate_result)`` or ``callback(x)``, as in ``scipy.optimize.minimize``.
    make : callable
        Function that makes SciPy's result.
    """

    def __init__(self, callback: Callable[..., Any] | None, make: Callable[..., Any]):
        if not (callback is None or callable(callback)):
            raise TypeError(f"callback must be a function, got {callback!r}.")
        self._callback, self._make = callback, make
        self._named = callback is not None and _parameters(callback) == ["intermediate_result"]
        self.over = False  # whether the search makes no further call
        self.stopped = False  # whether the callback ended the search
        self._best, self._x = math.inf, np.zeros(0)
        self._calls = 0

    def report(self, x: np.ndarray, fun: float, nfev: int) -> None:
        """Record the result of a call. ``fun`` is +∞ if the call failed."""
        self._calls += 1
        if fun < self._best:
            self._best, self._x = fun, x.copy()
        if self._callback is None or self._best == math.inf:
            return
        x = self._x.copy()
        try:
            if self._named:
                result = self._make(x=x, fun=self._best, nfev=nfev, nit=self._calls)
                self._callback(intermediate_result=result)
            else:
                self._callback(x)
        except StopIteration:
            self.over = self.stopped = True


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some functions in C have no signature
        return []
