"""k-means: k centres, each a variable, that minimise the within-cluster sum of squares (WCSS).

The local optimiser is an incremental Lloyd's algorithm (``lloyd.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...checks import whole_number
from ...datasets.check import check_points, check_weights
from ...engine import kernels
from ...engine.subsets import ANYWHERE
from .blocks import CLUSTER, HEAD, TICK, pool_size
from .distances import PAIR
from .estimates import DIMENSIONS, NONE, batch_size, in_single_precision, measured
from .estimates import PAIR as SCORED
from .grid import Grid, at_origin, grid_over
from .lloyd import copy_changed, inertia, settle, update
from .scan import BATCH, LENGTH
from .seeding import redraw_centers
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
        Where estimates (``estimates.py``) count from, in what unit, and the largest squared length
        of a point.
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


class KMeansState(NamedTuple):
    """Centres, labels, and the caches of the incremental Lloyd, which revert with them.

    Attributes
    ----------
    centers : (k, d) float64
        The configuration.
    labels : (n,) int32
        Nearest centre of each point, as of the last settling.
    anchors, columns : (k, d), (d, k) float64
        Where the centres were at the last settling, a centre and an axis a row.
    heads, links : (cells,), (3, k) int64
        Which centres are in which cell of the grid, as of the last settling; none without one.
    directions, lengths : (k + 2, d), (k + 2,) float32
        The same for estimates, then room for one, and none; no axes in few dimensions.
    pool, slack, member : (d, P) float64, (P,) float64, (P,) int32
        Coordinates, slack and number of the points, one block a cluster (``blocks.py``).
    rows, norms : (d P + 16,), (P,) float32
        The same points and their squared lengths for estimates; none in few dimensions.
    clusters : (k,) CLUSTER
        A record a cluster: its block and its bounds.
    radius, inertias, priced, stale : (k,) float64, float64, uint8, uint8
        No point is farther from its centre; sum of its points' squared distances, and whether that
        is up to date; whether the centre may not be the mean of the points.
    stamps : (3, k) int64
        When a cluster has changed last, by ``clock``; see ``blocks.HEAD``, ``BODY`` and ``SLACK``.
    clock : (3,) int64
        See ``blocks.TICK``, ``TOP`` and ``SETTLED``.
    destinations : (k,) int64
        The point to which a centre that is about to be redrawn has to go; −1 for anywhere.
    order : (2 n,) int64
        0 … n−1, and room, for drawing points.
    point_values, point_numbers, cluster_values, cluster_numbers, scores, batch, moved
        Room to work in; what it holds between two calls means nothing.
    """

    VARIABLES = ("centers",)
    CACHES = ("clusters", "priced", "stale", "stamps", "clock", "order")
    WORKSPACE = (
        *("point_values", "point_numbers", "cluster_values", "cluster_numbers"),
        *("scores", "batch", "moved"),
    )

    centers: np.ndarray
    labels: np.ndarray
    anchors: np.ndarray
    columns: np.ndarray
    heads: np.ndarray
    links: np.ndarray
    directions: np.ndarray
    lengths: np.ndarray
    pool: np.ndarray
    slack: np.ndarray
    member: np.ndarray
    rows: np.ndarray
    norms: np.ndarray
    clusters: np.ndarray
    radius: np.ndarray
    inertias: np.ndarray
    priced: np.ndarray
    stale: np.ndarray
    stamps: np.ndarray
    clock: np.ndarray
    destinations: np.ndarray
    point_values: np.ndarray
    point_numbers: np.ndarray
    cluster_values: np.ndarray
    cluster_numbers: np.ndarray
    scores: np.ndarray
    batch: np.ndarray
    moved: np.ndarray
    order: np.ndarray


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
    return KMeans(points, k, seeded, cap, heavy, *measured(points), grid_over(points, k))


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
    """All points in the block of cluster 0, without slack: the first settling looks at them all."""
    n, d = problem.points.shape
    k, size = problem.k, pool_size(n)
    pool = np.zeros((d, size))
    pool[:, :n] = problem.points.T
    member = np.zeros(size, np.int32)
    member[:n] = np.arange(n)
    order = np.zeros(2 * n, np.int64)
    order[:n] = np.arange(n)
    clusters = np.zeros(k, CLUSTER)
    clusters["least_slack"] = np.inf
    clusters[0]["room"] = clusters[0]["count"] = n
    radius = np.zeros(k)
    radius[0] = np.inf
    clusters[0]["least_slack"] = -np.inf
    heads, links = at_origin(problem.grid, k)
    return KMeansState(
        centers=np.zeros((k, d)),
        labels=np.zeros(n, np.int32),
        anchors=np.zeros((k, d)),
        columns=np.zeros((d, k)),
        heads=heads,
        links=links,
        pool=pool,
        slack=np.full(size, -np.inf),
        member=member,
        clusters=clusters,
        radius=radius,
        inertias=np.zeros(k),
        priced=np.zeros(k, np.uint8),
        stale=np.ones(k, np.uint8),
        stamps=np.ones((3, k), np.int64),
        clock=np.array([1, n, 0], np.int64),
        destinations=np.full(k, ANYWHERE),
        point_values=np.zeros((BATCH + d, n + PAIR)),
        point_numbers=np.zeros((4, n + SCORED), np.int64),
        cluster_values=np.zeros((4, k)),
        cluster_numbers=np.zeros((6, k), np.int64),
        order=order,
        **_for_estimates(problem),
    )


def _for_estimates(problem: KMeans) -> dict[str, np.ndarray]:
    """What ``estimates.py`` needs: of all centres at 0, as they are before the first settling."""
    (n, d), k, origin = problem.points.shape, problem.k, problem.origin / problem.unit
    if d < DIMENSIONS:
        n = d = 0
    places = pool_size(n) if d else 0
    points = problem.points if d else np.zeros((0, 0))
    rows, norms = in_single_precision(points, problem.origin[:d], problem.unit, places)
    lengths = np.full(k + 2, min((origin**2).sum(), NONE), np.float32)
    lengths[k:] = 0.0, NONE
    directions = np.zeros((k + 2, d), np.float32)
    directions[:k] = np.clip(2.0 * origin[:d], -NONE, NONE)
    return {
        "rows": rows,
        "norms": norms,
        "directions": directions,
        "lengths": lengths,
        "scores": np.zeros((LENGTH + 1, n + SCORED), np.float32),
        "batch": np.zeros(batch_size(n, d), np.float32),
        "moved": np.zeros((problem.points.shape[1], k)),
    }


@kernels.n_variables.register
def _n_variables(problem: KMeans) -> int:
    return problem.k


@kernels.cost.register(KMeans)
def _cost(problem, state):
    settle(problem, state)
    return inertia(state, problem.weights)


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
        state.clusters["count"],
        state.destinations,
        redraw,
        rng,
        order,
    )


@kernels.reinitialise.register(KMeans)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw_centers(problem, state, chosen, alpha, rng)
    state.clock[TICK] += 1
    for j in chosen:
        state.stale[j] = 1
        state.stamps[HEAD, j] = state.clock[TICK]


@kernels.iterate.register(KMeans)
def _iterate(problem, state, rng):
    settle(problem, state)
    return not update(state, problem.weights)


@kernels.copy_state.register(KMeans)
def _copy_state(problem, target, source):
    copy_changed(problem, target, source)
