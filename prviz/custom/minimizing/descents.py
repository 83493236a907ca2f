"""Descend from a configuration along one coordinate or along several."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .evaluations import Evaluations
from .line import descend

#: Above this number of coordinates, L-BFGS-B replaces SLSQP, which takes n³ operations a step.
DENSE = 100
#: First step of a descent; steps of forward and of central differences.
FIRST_MOVE, FORWARD, CENTRAL = 0.1, 1e-9, 1e-6
#: A descent ends if HOPE times its gain in the last PATIENCE iterations would not reach the goal.
HOPE, PATIENCE = 20.0, 5
#: A descent ends if its last STALL iterations gain less than LEAST_SHARE of its whole gain.
STALL, LEAST_SHARE = 10, 1e-5


class _GivenUp(Exception):
    """Raised to end a descent."""


def along(
    f: Evaluations, u: np.ndarray, row: int, step: float, goal: float, precision: float = 1e-2
) -> float:
    """Descend along one coordinate; return its final value."""
    place = u.copy()

    def value(t: float) -> float:
        place[row] = t
        return f(place)

    low, high = float(f.domain.low[row]), float(f.domain.high[row])
    return descend(value, float(u[row]), low, high, step, goal, precision)


def descend_along(
    f: Evaluations,
    u: np.ndarray,
    rows: np.ndarray,
    most: int = 200,
    central: bool = False,
    goal: float = math.inf,
) -> bool:
    """Descend along the coordinates ``rows`` by SciPy; return True if it converged.

    The descent ends early if it hardly gains, or if it is unlikely to reach the goal.
    """
    place = u.copy()
    low, high = f.domain.low[rows], f.domain.high[rows]

    def both(part: np.ndarray) -> tuple[float, np.ndarray]:
        place[rows] = part
        if f.sloped:
            found, slope = f.both(place)
            return found, slope[rows]
        return slope_at(f, place, rows, central)

    begin = np.minimum(np.maximum(u[rows], low), high)
    value, slope = both(begin)
    steepest = float(np.abs(slope).max())
    unit = FIRST_MOVE / steepest if steepest > 0.0 else 1.0
    known = {begin.tobytes(): (value * unit, slope * unit)}

    recent: list[float] = []

    def give_up(part: np.ndarray) -> None:
        recent.append(f.best)
        if len(recent) > STALL and recent[-1 - STALL] - f.best <= LEAST_SHARE * (
            recent[0] - f.best
        ):
            raise _GivenUp
        if len(recent) > PATIENCE and f.best - HOPE * (recent[-1 - PATIENCE] - f.best) > goal:
            raise _GivenUp

    def scaled(part: np.ndarray) -> tuple[float, np.ndarray]:
        if (key := part.tobytes()) in known:
            return known[key]
        found, slope = both(part)
        return found * unit, slope * unit

    return _by_scipy(scaled, begin, low, high, most, give_up)


def _by_scipy(
    function: Any, begin: np.ndarray, low: np.ndarray, high: np.ndarray, most: int, callback: Any
) -> bool:
    """Descend with gradients by one of SciPy's methods; return True if it converged."""
    from scipy import optimize

    bounded = bool(np.isfinite(low).any() or np.isfinite(high).any())
    options: dict[str, Any] = {"maxiter": most}
    if dense := len(begin) <= DENSE:
        options["ftol"] = 1e-14
    try:
        found = optimize.minimize(
            function,
            begin,
            jac=True,
            method="SLSQP" if dense else "L-BFGS-B",
            bounds=optimize.Bounds(low, high) if bounded else None,
            options=options,
            callback=callback,
        )
    except _GivenUp:
        return False
    return bool(found.success)


def slope_at(
    f: Evaluations, u: np.ndarray, rows: np.ndarray, central: bool
) -> tuple[float, np.ndarray]:
    """Return the value, and its slope along some coordinates by finite differences."""
    value, slope, place = f(u), np.zeros(len(rows)), u.copy()
    for i, row in enumerate(rows.tolist()):
        t = float(u[row])
        step = (CENTRAL if central else FORWARD) * max(1.0, abs(t))
        ahead, behind = t + step, t - step if central else t
        if ahead > f.domain.high[row]:
            ahead, behind = (t, t - step)
        elif behind < f.domain.low[row]:
            behind = t
        if ahead == behind:
            continue
        place[row] = ahead
        above = value if ahead == t else f(place)
        place[row] = behind
        below = value if behind == t else f(place)
        place[row] = t
        slope[i] = (above - below) / (ahead - behind)
    return value, slope
