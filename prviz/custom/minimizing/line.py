"""Descend along one coordinate by fitting parabolas."""

from __future__ import annotations

import math
from collections.abc import Callable

#: Each step downhill is longer than the previous step by this factor.
LONGER = 2.0
MOST_STEPS, MOST_PARABOLAS = 30, 12
#: A parabola may underestimate the remaining descent by this factor.
DOUBT = 3.0
#: A step to a parabola's vertex is at least this share of the interval.
LEAST_SHARE = 0.02


def descend(
    f: Callable[[float], float],
    t: float,
    low: float,
    high: float,
    step: float,
    goal: float = math.inf,
    precision: float = 1e-3,
) -> float:
    """Return the lowest point found from t along a line.

    Parameters
    ----------
    f : callable
        Function of a position on the line.
    t : float
        Position at which the descent begins.
    low, high : float
        Bounds of t.
    step : float
        Length of the first step.
    goal : float
        The descent ends early if a parabola predicts a lowest value above ``goal``.
    precision : float
        The descent ends if it expects to gain less than this share of its gain so far.
    """
    line = _Line(f, t)
    line.enclose(low, high, step)
    began = line.first if goal == math.inf else goal
    for _ in range(MOST_PARABOLAS):
        place, drop = line.vertex()
        if not drop > 0.0 or line.value - DOUBT * drop > goal:
            break
        if line.value < goal and DOUBT * drop <= precision * (began - line.value):
            break
        if not line.left < place < line.right or place == line.t:
            break
        line.look(place)
    return line.t


class _Line:
    """The lowest point found on a line so far, between two higher points."""

    def __init__(self, f: Callable[[float], float], t: float):
        self._f = f
        self.t = self.left = self.right = t
        self.value = self.first = f(t)
        self.at_left = self.at_right = math.inf  # unknown

    def look(self, place: float) -> bool:
        """Evaluate a position near t. If its value is lower, move t there and return True."""
        found = self._f(place)
        if found < self.value:
            if place > self.t:
                self.left, self.at_left = self.t, self.value
            else:
                self.right, self.at_right = self.t, self.value
            self.t, self.value = place, found
            return True
        if place > self.t:
            self.right, self.at_right = place, found
        else:
            self.left, self.at_left = place, found
        return False

    def enclose(self, low: float, high: float, step: float) -> None:
        """Take longer and longer steps downhill, until the value rises on both sides of t."""
        direction = 1.0 if self.t + step <= high else -1.0
        sure = False  # True once the downhill direction is known
        for _ in range(MOST_STEPS):
            ahead = min(max(self.t + direction * step, low), high)
            if ahead == self.t:
                return
            if self.look(ahead):
                sure = True
                step *= LONGER
            elif sure:
                return
            else:
                direction, sure = -direction, True

    def vertex(self) -> tuple[float, float]:
        """Return the vertex of the parabola through the three points, and its depth below t."""
        left, t, right = self.left, self.t, self.right
        if not (left < t < right and max(self.at_left, self.at_right) < math.inf):
            return t, 0.0
        falls, rises = (self.value - self.at_left) / (t - left), self.at_right - self.value
        rises /= right - t
        curve = (rises - falls) / (right - left)
        if not curve > 0.0:
            return t, 0.0
        place = 0.5 * (left + t - falls / curve)
        drop = curve * (place - t) ** 2
        nearest = LEAST_SHARE * (right - t if place >= t else t - left)
        if abs(place - t) < nearest:  # place is too close to t
            place = t + math.copysign(nearest, right + left - 2.0 * t)
        return place, drop
