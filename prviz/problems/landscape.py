"""A rugged landscape (Rastrigin's function), whose searches can be watched.

The function is a bowl with ripples. Every hollow is a local minimum, and hollows near the centre
are deeper. In one dimension, a redraw moves x by 1 − α of the distance to a random position.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..checks import real_number, seed_number, whole_number
from ..engine import kernels
from ..engine.dispatch import helper
from ..engine.simd.functions import turn
from .entry import Entry, Example, Source

#: Random coordinates are between −REACH and REACH.
REACH = 5.0
MAX_DIMENSIONS = 20
#: Descent ends when a step is shorter than this in every coordinate.
SHORTEST = 1e-10
#: A full turn in radians, 2π.
TURN = 6.283185307179586
#: Heights are rounded to multiples of this, so that all descents into a hollow end at one height.
FINEST = 1e-9


class Landscape(NamedTuple):
    """A rugged function of d coordinates. Each coordinate is a variable, so N = d.

    Attributes
    ----------
    optimum : (d,) float64
        Position of the lowest point; its height is 0.
    rotation : (d, d) float64
        Orthogonal matrix whose rows are the directions of the ripples.
    ripple : float
        A, half the height of the ripples.
    """

    optimum: np.ndarray
    rotation: np.ndarray
    ripple: float


class LandscapeState(NamedTuple):
    """``position`` (d,) is the configuration; ``slope`` (d,) is working space for the gradient."""

    VARIABLES = ("position",)
    WORKSPACE = ("slope",)

    position: np.ndarray
    slope: np.ndarray


def landscape(dimensions: int = 2, ripple: float = 10.0, rotated: bool = False, seed: int = 0):
    """Return a rugged landscape for :func:`prviz.run`.

    The height at x is Σ_i [z_i² + A (1 − cos 2π z_i)] with z = R (x − x*): Rastrigin's function
    (Rastrigin 1974) around a random optimum x*, with an optional random rotation R. The local
    optimiser is gradient descent with steps of 1 / (2 + 4π² A) times the gradient. Gradient descent
    never climbs. In one dimension it never leaves the hollow in which it starts.

    Parameters
    ----------
    dimensions : int
        Number of dimensions, 1 to 20.
    ripple : float
        A, at least 0. With A = 0 there is only one hollow.
    rotated : bool
        Rotate the ripples randomly, so that coordinates depend on each other.
    seed : int
        Seed of the optimum and the rotation.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    d = whole_number(dimensions, "dimensions")
    if not 1 <= d <= MAX_DIMENSIONS:
        raise ValueError(f"dimensions must be between 1 and {MAX_DIMENSIONS}, got {d}.")
    ripple = real_number(ripple, "ripple")
    if not 0 <= ripple < np.inf:
        raise ValueError(f"ripple must be 0 or more, got {ripple}.")
    rng = np.random.default_rng(seed_number(seed))
    optimum = rng.uniform(-REACH / 2, REACH / 2, d)
    rotation = _rotation(d, rng) if rotated else np.eye(d)
    return Landscape(optimum, rotation, ripple)


def _rotation(d: int, rng: np.random.Generator) -> np.ndarray:
    """Return a random orthogonal matrix: normally distributed rows after Gram–Schmidt.

    The matrix is the same on every machine: the random numbers are rounded, because their last bit
    differs between machines, and ``math.fsum`` rounds each sum only once.
    """
    rows: list[list[float]] = []
    while len(rows) < d:
        x = [round(draw * 2**20) / 2**20 for draw in rng.normal(size=d).tolist()]
        for _ in range(2):  # the second pass removes rounding errors
            for row in rows:
                along = math.fsum(a * b for a, b in zip(x, row, strict=True))
                x = [a - along * b for a, b in zip(x, row, strict=True)]
        length = math.sqrt(math.fsum(a * a for a in x))
        rows.append([a / length for a in x])
    return np.array(rows)


def heights(problem: Landscape, positions: np.ndarray) -> np.ndarray:
    """Return heights (…,) of the landscape at positions (…, d)."""
    z = (np.asarray(positions) - problem.optimum) @ problem.rotation.T
    return (z**2 + problem.ripple * (1 - np.cos(2 * np.pi * z))).sum(axis=-1)


@helper
def _height_and_slope(problem, position, slope) -> float:
    """Return the height at a position; store the gradient in ``slope``."""
    height = 0.0
    slope[:] = 0.0
    for i in range(len(position)):
        z = 0.0
        for j in range(len(position)):
            z += problem.rotation[i, j] * (position[j] - problem.optimum[j])
        cosine, sine = turn(z)
        height += z * z + problem.ripple * (1.0 - cosine)
        along = 2.0 * z + TURN * problem.ripple * sine
        for j in range(len(position)):
            slope[j] += problem.rotation[i, j] * along
    return height


@kernels.allocate.register
def _allocate(problem: Landscape) -> LandscapeState:
    d = len(problem.optimum)
    return LandscapeState(np.zeros(d), np.zeros(d))


@kernels.n_variables.register
def _n_variables(problem: Landscape) -> int:
    return len(problem.optimum)


@kernels.cost.register(Landscape)
def _cost(problem, state):
    height = _height_and_slope(problem, state.position, state.slope)
    return FINEST * np.rint(height / FINEST)


@kernels.reinitialise.register(Landscape)
def _reinitialise(problem, state, chosen, alpha, rng):
    for j in chosen:
        fresh = REACH * (2.0 * rng.random() - 1.0)
        state.position[j] = alpha * state.position[j] + (1.0 - alpha) * fresh


@kernels.iterate.register(Landscape)
def _iterate(problem, state, rng):
    _height_and_slope(problem, state.position, state.slope)
    steepest = 2.0 + TURN * TURN * problem.ripple  # upper bound of the second derivative
    longest = 0.0
    for j in range(len(state.position)):
        step = state.slope[j] / steepest
        state.position[j] -= step
        longest = max(longest, abs(step))
    return longest < SHORTEST


def cases() -> dict[str, Landscape]:
    return {"rotated": landscape(6, rotated=True)}


def of_data(data: None, size: int, **options: Any) -> Landscape:
    return landscape(size, **options)


ENTRY = Entry(
    id="landscape",
    title="landscapes",
    type=Landscape,
    make=landscape,
    tiny=landscape,
    seconds=4.0,
    cases=cases,
    scene="prviz.scenes.landscape:scene",
    live="prviz.live_page.drawing.landscape:picture",
    source=Source(
        name="Landscape",
        counts="dimensions",
        make=of_data,
        examples={"landscape": Example(lambda: None, 2)},
        known=lambda data, size: 0.0,
    ),
)
