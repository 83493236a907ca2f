"""Evaluate a function of real numbers in scaled coordinates, within bounds and a budget."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..callables import Failed, as_number, place_of, words_of

#: Local optimisers get this number in place of NaN and infinity. Its square is finite.
HUGE = 1e100


class Spent(BaseException):
    """Raised after the last evaluation of a budget. No solver catches it."""


class Domain:
    """The domain of x, its distribution, and its scaled coordinates u = (x − origin) / scale.

    Parameters
    ----------
    centre : (n,) array, or None
        Draws are normal around ``centre`` with standard deviation ``spread``. None means that draws
        are uniform between the bounds.
    low, high : (n,) array
        Bounds, or arrays of length 0.
    """

    def __init__(self, centre: np.ndarray | None, low: np.ndarray, high: np.ndarray, spread: float):
        self.centre, self._low, self._high = centre, low, high
        if centre is None:
            self.origin, self.scale = low, np.where(high > low, high - low, 1.0)
            self.low = np.zeros(len(low))
            self.high = np.where(high > low, 1.0, 0.0)
        else:
            n = len(centre)
            self.origin, self.scale = centre, np.full(n, float(spread))
            self.low = (low - centre) / spread if len(low) else np.full(n, -np.inf)
            self.high = (high - centre) / spread if len(low) else np.full(n, np.inf)

    def __len__(self) -> int:
        return len(self.origin)

    def x(self, u: np.ndarray) -> np.ndarray:
        """Return the point at scaled coordinates, moved to the nearest bound if outside."""
        x = self.origin + self.scale * u
        return np.minimum(np.maximum(x, self._low), self._high) if len(self._low) else x

    def u(self, x: np.ndarray) -> np.ndarray:
        """Return the scaled coordinates of a point."""
        return np.minimum(np.maximum((x - self.origin) / self.scale, self.low), self.high)

    def fold(self, u: np.ndarray) -> np.ndarray:
        """Mirror scaled coordinates at the bounds until they are inside."""
        if not len(self._low):
            return u
        width = np.where(self.high > self.low, self.high - self.low, 1.0)
        with np.errstate(invalid="ignore"):  # ∞ − ∞ if a bound is missing
            away = np.abs(u - self.low)
            away = np.where(away > width, width - np.abs(away % (2 * width) - width), away)
            mirrored = np.where(u > self.high, 2 * self.high - u, u)
            inside = np.where(np.isfinite(self.low), self.low + away, mirrored)
        return np.minimum(np.maximum(inside, self.low), self.high)

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        """Return quantiles of the draws, in scaled coordinates."""
        if self.centre is None:
            return shares * self.high
        from scipy.special import ndtri

        return np.minimum(np.maximum(ndtri(shares), self.low), self.high)


class Evaluations:
    """The function to minimise, which counts evaluations and stores the best point of a call.

    Parameters
    ----------
    cost : callable with ``returned``, ``nfev`` and ``args``
        The user's function.
    jac : bool, callable or None
        See ``scipy.optimize.minimize``.
    domain : Domain
    """

    def __init__(self, cost: Any, jac: Any, domain: Domain):
        self.cost, self.domain = cost, domain
        self._both = jac is True
        self._slope: Callable[..., Any] | None = jac if callable(jac) else None
        self.njev = self.n_bad = 0
        self.bad, self.bad_x = math.nan, np.full(len(domain), math.nan)
        self.budget = math.inf
        self.begin()

    @property
    def sloped(self) -> bool:
        """Return True if the user gives a gradient."""
        return self._both or self._slope is not None

    def begin(self) -> None:
        """Reset the best point, because a new call begins."""
        self.best, self.best_x = math.inf, np.zeros(0)
        self._began = self.cost.nfev + self.njev

    @property
    def used(self) -> int:
        """Return the number of evaluations in this call. A separate gradient counts as one."""
        return self.cost.nfev + self.njev - self._began

    def __call__(self, u: np.ndarray) -> float:
        """Return the value at scaled coordinates, or ``HUGE`` if it is not finite."""
        return self._take(self.domain.x(u))[0]

    def both(self, u: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the value and the gradient at scaled coordinates."""
        x = self.domain.x(u)
        value, slope = self._take(x)
        if self._slope is not None:
            self.njev += 1
            slope = self._guarded(self._slope, x)
        slope = np.asarray(slope, float).reshape(x.shape) * self.domain.scale
        return value, np.where(np.isfinite(slope), slope, 0.0)

    def _guarded(self, function: Callable[..., Any], x: np.ndarray) -> Any:
        try:
            return function(x.copy(), *self.cost.args)
        except Exception as error:
            name = "jac" if function is self._slope else "fun"
            place = place_of(error, function)
            raise Failed(f"{name} raised {words_of(error)} ({place})") from error

    def _take(self, x: np.ndarray) -> tuple[float, Any]:
        self.cost.nfev += 1
        returned, slope = self._guarded(self.cost.__wrapped__, x), None
        if self._both:
            returned, slope = returned
        value = as_number(returned)
        if not math.isfinite(value):
            self.n_bad += 1
            self.bad, self.bad_x = value, x
            value = HUGE
        elif value < self.best:
            self.best, self.best_x = value, x
        if self.cost.nfev + self.njev >= self.budget:
            raise Spent
        return value, slope
