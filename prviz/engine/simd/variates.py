"""Exponential, normal and gamma variates with the same bits on every machine.

NumPy's variates use ln and exp of the C library, whose last bit depends on the processor. The
variates here are computed from a generator's uniform numbers by ``functions.py``.
"""

from __future__ import annotations

import numpy as np

from ..dispatch import borrowing, helper
from .functions import ln, logarithm
from .simd8 import WIDTH, load, store


@helper
def exponentials(rng, n):
    """Return ``n`` exponential variates with mean 1, by inversion: −ln (1 − u)."""
    room = np.ones((n + WIDTH - 1) // WIDTH * WIDTH)
    for i in range(n):
        room[i] = 1.0 - rng.random()
    _negative_logarithms(room)
    return room[:n]


@borrowing
def _negative_logarithms(room) -> None:
    for at in range(0, len(room), WIDTH):
        store(room, at, 0.0 - logarithm(load(room, at)))


@helper
def normal(rng) -> float:
    """Return a standard normal variate, by the polar method (Marsaglia and Bray 1964)."""
    square = 0.0
    x = 0.0
    while square >= 1.0 or square == 0.0:
        x = 2.0 * rng.random() - 1.0
        y = 2.0 * rng.random() - 1.0
        square = x * x + y * y
    return x * np.sqrt(-2.0 * ln(square) / square)


@helper
def gamma(rng, shape) -> float:
    """Return a gamma variate of scale 1 and a shape ≥ 1 (Marsaglia and Tsang 2000)."""
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        x = normal(rng)
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v, square, u = v * v * v, x * x, 1.0 - rng.random()
        if u < 1.0 - 0.0331 * square * square:  # nearly always true, and needs no logarithm
            return d * v
        if ln(u) < 0.5 * square + d * (1.0 - v + ln(v)):
            return d * v
