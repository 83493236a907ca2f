"""k-means: k centres, each a variable, that minimise the within-cluster sum of squares (WCSS).

The local optimiser is an incremental Lloyd's algorithm (``lloyd.py``).
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

#: The cap on slack, as a share of the side of the cube that each cluster would have if the k of
#: them shared the data's bounding volume. It sets how far a cluster looks, not what it finds.
CAP = 0.1


class KMeans(NamedTuple):
    """A k-means problem; N = k, a variable is a centre.

    Attributes
    ----------
    points : (n, d) float64
        The data, in their own units.
    k : int
        Number of centres.
    plus_plus : bool
        Restart from greedy k-means++ instead of Forgy. Partial redraws are Forgy's either way.
    cap : float
        Largest slack worth knowing, in the data's units (see ``lloyd.py``).
    weights : (n,) or (0,) float64
        How much each point counts; none where all weigh 1.
    origin, unit, longest : (d,) float64, float, float
        How estimates count coordinates (``estimates.Scaled``).
    grid : Grid
        The cells in which many centres in a plane are found (``grid.py``).
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
    """A k-means problem for :func:`prviz.run`.

    Parameters
    ----------
    points : (n, d) array_like
        The data; any number of dimensions, finite.
    n_clusters : int
        Number of centres, 1 ≤ n_clusters ≤ number of distinct points.
    init : {"forgy", "k-means++"}
        Where a restart puts the centres: on random points (the paper's way), or by greedy
        k-means++ (the honest control). A partial redraw puts a centre on a random point, or where
        its sub-set heuristic says (``subsets.py``).
    weights : (n,) array_like, optional
        How much each point counts, above 0; a weight of 3 is three points on one spot, also where
        points are drawn. By default all weigh 1.

    Notes
    -----
    A centre that loses all its points stays where it is until points come back to it or it is
    redrawn. Of centres at equal distance, the one with the lowest number gets the point; so of
    two centres on the same spot, one is empty.

    Raises
    ------
    TypeError, ValueError
        One sentence that says what is wrong and what to do.
    """
    points = check_points(points)
    k = whole_number(n_clusters, "n_clusters")
    if init not in INITS:
        raise ValueError(f"init must be 'forgy' or 'k-means++', not {init!r}.")
    n, d = points.shape
    if not 1 <= k <= n:
        raise ValueError(f"n_clusters must be between 1 and the number of points, {n}, not {k}.")
    if (distinct := _distinct(points, k)) < k:
        raise ValueError(
            f"n_clusters = {k} is more than the {distinct} distinct points: "
            f"choose at most {distinct}."
        )
    heavy = check_weights(weights, n)
    seeded = init == "k-means++"
    side = float(np.sqrt(12.0 * points.var(axis=0).mean()))  # of a uniform cube as spread out
    cap = CAP * side * _shrunk(k, d)
    return KMeans(points, k, seeded, cap, heavy, *scaled_by(points), grid_over(points, k))


def _shrunk(k: int, d: int) -> float:
    """k^(−1/d) to six digits, so that the last bits of a library's power don't show."""
    return float(f"{k ** (-1.0 / d):.6g}")


def _distinct(points: np.ndarray, enough: int) -> int:
    """Number of distinct points, or ``enough`` once that many have been seen."""
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
