"""k-medoids: find k points that represent all other points at the least total dissimilarity.

Each medoid is a variable. There are two incremental local optimisers. ``alternate.py`` alternates
between assignment and the best medoid of each cluster. ``swap.py`` makes single exchanges.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...checks import whole_number
from ...datasets.types.matrices import check_dissimilarity
from ...engine import kernels
from ...engine.dispatch import borrowing
from ...engine.subsets import ANYWHERE
from .alternate import alternate, new_marks, room_for_known
from .gains import LOSS
from .members import STALE, copy_changed
from .nearest import settle, sums_are_exact, total
from .neighbours import nearest_neighbours
from .subsets import SUBSETS, choose, move
from .swap import swap

OPTIMISERS = ("alternate", "swap")


class KMedoids(NamedTuple):
    """A k-medoids problem. Each medoid is a variable, so N = k.

    Attributes
    ----------
    by_point : (n, n) float32 or float64
        Row i: the cost of representing point i by each point.
    by_medoid : (n, n) float32 or float64
        Row m: the cost of representing each point by point m. If ``by_point`` is symmetric, both
        are the same array.
    k : int
        Number of medoids.
    swap : bool
        Whether to exchange single medoids instead of alternating.
    neighbours : (n, L) int32
        Row i: the points that best represent point i, the best first.
    reaches : (n, L), dtype of the matrix
        Row i: the costs of these points.
    marks : (2, n) int64
        Random numbers of each point, as a member and as a medoid; see ``alternate.py``.
    exact : bool
        Whether sums of distances are exact.
    """

    by_point: np.ndarray
    by_medoid: np.ndarray
    k: int
    swap: bool
    neighbours: np.ndarray
    reaches: np.ndarray
    marks: np.ndarray
    exact: bool


class KMedoidsState(NamedTuple):
    """Medoids, caches and working space. A revert restores all but the working space.

    Attributes
    ----------
    medoids : (k,) int64
        The configuration: distinct point numbers.
    anchors : (k,) int64
        The medoids when the caches were last updated.
    labels : (n,) int32
        Nearest medoid of each point, numbered from 0 to k − 1.
    distances : (n,), dtype of the matrix
        Dissimilarity of each point from its nearest medoid.
    second_distances : (n,), dtype of the matrix
        Dissimilarity from the second nearest medoid, +∞ for k = 1. Empty if ``swap`` is false.
    point_numbers : (5, n) int32
        Rows: the second nearest medoid of a point; the medoid at the point, or −1; the next and the
        previous member of its cluster, −1 at the ends; 1 while an update lists the point.
    cluster_numbers : (2, k) int64
        Rows: the first member of a cluster; the reasons why it is stale (``gains.py``), 0 if it is
        not.
    destinations : (k,) int64
        Point to which each medoid moves in the next redraw; −1 for a random point.
    cursor : (1,) int64
        The point to try next as a medoid.
    gains : (3, n) float64
        Gains of exchanges; see ``gains.py``. Empty if ``swap`` is false.
    losses : (3, k) float64
        Prices of removing a medoid; see ``gains.py``.
    total : (1,) float64
        Running sum of the distances. It has rounding errors unless the problem is ``exact``.
    known : (..., 2) int64
        Marks of known clusters, and the best medoid of each; see ``alternate.py``. Valid for
        every state of the problem. Empty if ``swap`` is true.
    journal : (n + 1,) int64
        Points that have changed, and their number; see ``members.py``.
    room : (2, n + 1) int64
        Working space. It has no meaning between calls.
    """

    VARIABLES = ("medoids",)
    CACHES = ("cluster_numbers", "cursor", "total")
    WORKSPACE = ("known", "journal", "room")

    medoids: np.ndarray
    anchors: np.ndarray
    labels: np.ndarray
    distances: np.ndarray
    second_distances: np.ndarray
    point_numbers: np.ndarray
    cluster_numbers: np.ndarray
    destinations: np.ndarray
    cursor: np.ndarray
    gains: np.ndarray
    losses: np.ndarray
    total: np.ndarray
    known: np.ndarray
    journal: np.ndarray
    room: np.ndarray

    def fault(self) -> str:
        """Return a description of invalid medoids, or ""."""
        inside = (self.medoids >= 0) & (self.medoids < len(self.labels))
        sound = inside.all() and len(np.unique(self.medoids)) == len(self.medoids)
        return "" if sound else "medoids that are not distinct indices of points"


def kmedoids(
    dissimilarity: Any,
    n_clusters: int,
    optimiser: str = "swap",
):
    """Return a k-medoids problem for :func:`prviz.run`.

    Parameters
    ----------
    dissimilarity : (n, n) array_like or pandas.DataFrame
        Entry [i, m] is the cost of representing point i by point m: finite and not negative. The
        matrix need not be symmetric. float32 is kept, and other types become float64.
        :func:`prviz.dissimilarity` computes a matrix from points.
    n_clusters : int
        Number of medoids, 1 ≤ n_clusters < n.
    optimiser : {"swap", "alternate"}
        "swap" exchanges a medoid for another point as soon as it finds that this lowers the cost,
        until no exchange does (FasterPAM, Schubert and Rousseeuw 2021). "alternate" repeats two
        steps: assign all points, and find the best medoid of each cluster (PAM in the paper).

    Notes
    -----
    A redraw moves a medoid to a random point that is not a medoid. With ``subset="local"``, this
    point is near the old medoid or near a random medoid. A restart draws all medoids
    without replacement. A medoid is one of the points, so α is ignored.

    A medoid belongs to its own cluster. A point equally near to several medoids belongs to the
    medoid with the lowest number.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    return of_matrix(check_dissimilarity(dissimilarity), n_clusters, optimiser)


def of_matrix(by_point: np.ndarray, n_clusters: int, optimiser: str) -> KMedoids:
    """Return the problem of :func:`kmedoids` for a checked matrix, which is not copied."""
    if optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser must be 'alternate' or 'swap', got {optimiser!r}.")
    k = whole_number(n_clusters, "n_clusters")
    if not 1 <= k < len(by_point):
        raise ValueError(
            f"n_clusters must be at least 1 and below the number of points ({len(by_point)}), "
            f"got {k}."
        )
    neighbours, reaches = nearest_neighbours(by_point, k)
    symmetric = np.array_equal(by_point, by_point.T)
    by_medoid = by_point if symmetric else np.ascontiguousarray(by_point.T)
    return KMedoids(
        by_point,
        by_medoid,
        k,
        optimiser == "swap",
        neighbours,
        reaches,
        new_marks(len(by_point)),
        sums_are_exact(by_point),
    )


@kernels.allocate.register
def _allocate(problem: KMedoids) -> KMedoidsState:
    n, k, dtype = len(problem.by_point), problem.k, problem.by_point.dtype
    return KMedoidsState(
        medoids=np.arange(k),
        anchors=np.full(k, -1),
        labels=np.zeros(n, np.int32),
        distances=np.zeros(n, dtype),
        second_distances=np.zeros(n * problem.swap, dtype),
        point_numbers=np.zeros((5, n), np.int32),
        cluster_numbers=np.zeros((2, k), np.int64),
        destinations=np.full(k, ANYWHERE),
        cursor=np.zeros(1, np.int64),
        gains=np.zeros((3, n) if problem.swap else (0, 0)),
        losses=np.zeros((3, k if problem.swap else 0)),
        total=np.zeros(1),
        known=np.zeros((0, 2) if problem.swap else room_for_known(n), np.int64),
        journal=np.zeros(n + 1, np.int64),
        room=np.zeros((2, n + 1), np.int64),
    )


@kernels.n_variables.register
def _n_variables(problem: KMedoids) -> int:
    return problem.k


@kernels.cost.register(KMedoids)
def _cost(problem, state):
    settle(problem, state)
    return total(problem, state)


@kernels.subsets.register
def _subsets(problem: KMedoids) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register(KMedoids)
def _select(problem, state, redraw, rng, order):
    return choose(problem.neighbours, state.medoids, state.destinations, redraw, rng, order)


@kernels.reinitialise.register(KMedoids)
def _reinitialise(problem, state, chosen, alpha, rng):
    move(len(state.labels), state.medoids, state.destinations, chosen, rng)
    for j in chosen:
        state.cluster_numbers[STALE, j] |= LOSS
    if problem.swap:  # exchanges are tried in order, starting at a random point
        state.cursor[0] = rng.integers(0, len(state.labels))


@kernels.iterate.register(KMedoids)
def _iterate(problem, state, rng):
    return not improve(problem, state)


@kernels.optimise.register(KMedoids)
def _optimise(problem, state, rng, stop=None):
    return descend(problem, state, stop)


@borrowing
def improve(problem, state) -> bool:
    """Run one iteration; return True if a medoid moved."""
    settle(problem, state)
    return swap(problem, state) if problem.swap else alternate(problem, state)


@borrowing
def descend(problem, state, stop):
    """Iterate until no medoid moves; return ``(cost, iterations)``."""
    iterations = 1
    while improve(problem, state) and iterations < kernels.MOST_ITERATIONS:
        iterations += 1
        if kernels.asked_to(stop):
            return np.inf, iterations
    settle(problem, state)
    return total(problem, state), iterations


@kernels.copy_state.register(KMedoids)
def _copy_state(problem, target, source):
    copy_changed(target, source)
