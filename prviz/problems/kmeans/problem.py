"""k-means: find k centres that minimise the within-cluster sum of squares (WCSS).

Each centre is a variable. The local optimiser is an incremental Lloyd's algorithm (``lloyd.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...checks import whole_number
from ...datasets.check import check_points, check_weights
from ...engine import kernels
from .blocks import copy_changed
from .estimates import scaled_by
from .grid import Grid, grid_over
from .lloyd import assign, inertia, update
from .seeding import redraw_centers
from .state import STAMP, KMeansState, empty_state
from .subsets import SUBSETS, choose

INITS = ("forgy", "k-means++")

#: Slack is capped at this share of the typical distance between centres. This distance is the side
#: of one of k equal cubes that fill a large cube; uniform points in the large cube would have the
#: data's variance. The cap affects the speed, not the result.
CAP = 0.1


class KMeans(NamedTuple):
    """A k-means problem. Each centre is a variable, so N = k.

    Attributes
    ----------
    points : (n, d) float64
        The data, in their own units.
    k : int
        Number of centres.
    plus_plus : bool
        Restart from greedy k-means++ instead of Forgy. Partial redraws never use k-means++.
    cap : float
        Cap on slack, in the data's units (see ``bounds.py``).
    weights : (n,) or (0,) float64
        Weight of each point; empty if all are 1.
    origin, unit, longest : (d,) float64, float, float
        Scale of coordinates in estimates (``estimates.Scaled``).
    grid : Grid
        Grid for finding many centres in a plane (``grid.py``).
    """

    points: np.ndarray
    k: int
    plus_plus: bool
    cap: float
    weights: np.ndarray
    origin: np.ndarray
    unit: float
    longest: float
    grid: Grid


def kmeans(
    points: Any,
    n_clusters: int,
    init: str = "forgy",
    *,
    weights: Any = None,
):
    """Return a k-means problem for :func:`prviz.run`.

    Parameters
    ----------
    points : (n, d) array_like
        Finite data with any number of dimensions.
    n_clusters : int
        Number of centres, 1 ≤ n_clusters ≤ number of distinct points.
    init : {"forgy", "k-means++"}
        Initial centres of a restart: "forgy" chooses random points, as in the paper. "k-means++"
        uses greedy k-means++, a stronger baseline. A partial redraw moves a centre to a random
        point, or to the point that the sub-set heuristic chooses (``subsets.py``).
    weights : (n,) array_like, optional
        Weight of each point, above 0. A weight of 3 counts as three equal points, also in the
        choice of random points. The default is 1.

    Notes
    -----
    A centre that loses all its points stays in place until it gets points again or is redrawn. A
    point equally near to several centres belongs to the centre with the lowest number. So the
    second of two equal centres has no points.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    points = check_points(points)
    k = whole_number(n_clusters, "n_clusters")
    if init not in INITS:
        raise ValueError(f"init must be 'forgy' or 'k-means++', got {init!r}.")
    n, d = points.shape
    if not 1 <= k <= n:
        raise ValueError(f"n_clusters must be between 1 and the number of points, {n}, got {k}.")
    if (distinct := _distinct(points, k)) < k:
        raise ValueError(
            f"n_clusters = {k} is more than the {distinct} distinct points: "
            f"choose at most {distinct}."
        )
    heavy = check_weights(weights, n)
    most = float(heavy.sum()) if len(heavy) else float(n)
    with np.errstate(over="ignore"):
        finite = np.isfinite(most * np.square(np.ptp(points, axis=0) / 2.0).sum())
    if not finite:
        raise ValueError("The sum of squared distances is infinite: rescale points or weights.")
    seeded = init == "k-means++"
    # side of a cube in which uniform points would have the variance of these points
    side = float(np.sqrt(12.0 * points.var(axis=0).mean()))
    cap = CAP * side * _shrunk(k, d)
    return KMeans(points, k, seeded, cap, heavy, *scaled_by(points), grid_over(points, k))


def _shrunk(k: int, d: int) -> float:
    """Return k^(−1/d) to six digits, which are the same with every library."""
    return float(f"{k ** (-1.0 / d):.6g}")


def _distinct(points: np.ndarray, enough: int) -> int:
    """Return the number of distinct points, or ``enough`` if there are more."""
    for size in (4 * enough, len(points)):
        found = len(np.unique(points[:size], axis=0))
        if found >= enough:
            return enough
    return found


@kernels.allocate.register
def _allocate(problem: KMeans) -> KMeansState:
    return empty_state(problem)


@kernels.n_variables.register
def _n_variables(problem: KMeans) -> int:
    return problem.k


@kernels.cost.register(KMeans)
def _cost(problem, state):
    assign(problem, state)
    return inertia(problem, state)


@kernels.subsets.register
def _subsets(problem: KMeans) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register(KMeans)
def _select(problem, state, redraw, rng, order):
    return choose(
        problem.points,
        problem.weights,
        state.centers,
        state.labels,
        state.clusters.count,
        state.destinations,
        redraw,
        rng,
        order,
    )


@kernels.reinitialise.register(KMeans)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw_centers(problem, state, chosen, alpha, rng)
    state.clock[STAMP] += 1
    for j in chosen:
        state.clusters.stale[j] = 1
        state.clusters.version[j] = state.clock[STAMP]


@kernels.iterate.register(KMeans)
def _iterate(problem, state, rng):
    assign(problem, state)
    return not update(problem, state)


@kernels.copy_state.register(KMeans)
def _copy_state(problem, target, source):
    copy_changed(problem, target, source)
