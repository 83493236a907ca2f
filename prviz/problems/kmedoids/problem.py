"""k-medoids: k points, each a variable, that represent all others at the least total dissimilarity.

Two local optimisers, both incremental: alternating assignment and best medoid of each cluster
(``alternate.py``), and the exchange of single medoids (``swap.py``).
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
    """A k-medoids problem; N = k, a variable is a medoid.

    Attributes
    ----------
    by_point : (n, n) float32 or float64
        Row i: how badly each point represents point i.
    by_medoid : (n, n) float32 or float64
        Row m: how badly point m represents each point. The same array if that is symmetric.
    k : int
        Number of medoids.
    swap : bool
        Exchange medoids one by one, instead of alternating.
    neighbours : (n, L) int32
        Row i: the points that represent point i best, the best first.
    reaches : (n, L) as the matrix
        How badly they do.
    marks : (2, n) int64
        Random numbers of each point, as a member and as a medoid; see ``alternate.py``.
    exact : bool
        Sums of distances come without rounding.
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
    """Medoids, and the caches that revert with them.

    Attributes
    ----------
    medoids : (k,) int64
        The configuration: numbers of points, no two the same.
    anchors : (k,) int64
        Where the medoids were when the caches were last brought up to date.
    labels : (n,) int32
        Nearest medoid of each point, numbered from 0 to k − 1.
    distances : (n,) as the matrix
        Dissimilarities from the nearest medoid.
    second_distances : (n,) as the matrix
        Those from the second nearest, +∞ where k = 1. Without exchanges there are none.
    point_numbers : (5, n) int32
        Of each point its second nearest medoid; the medoid that is at this point, or −1; the next
        and the previous member of its cluster, −1 at the ends; a mark.
    cluster_numbers : (2, k) int64
        Of each cluster its first member; not 0 where it has changed since its best medoid was
        looked for, or its loss was priced.
    destinations : (k,) int64
        Where a medoid that is about to be redrawn has to go; −1 for anywhere.
    cursor : (1,) int64
        The point that is next to be tried as a medoid.
    gains : (3, n) float64
        What exchanges would gain; see ``gains.py``. Without exchanges there are none.
    losses : (3, k) float64
        What the points of a medoid would pay for its removal; see ``gains.py``.
    total : (1,) float64
        Sum of the distances, kept up to date; rounded, unless the problem is ``exact``.
    known : (..., 2) int64
        Clusters that have been seen, by their marks, and the best medoid of each; see
        ``alternate.py``. It is true of any state of the problem. With exchanges there are none.
    journal : (n + 1,) int64
        Points that have changed, and how many those were; see ``members.py``.
    room : (2, n + 1) int64
        To work in; what it holds between two calls means nothing.
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


def kmedoids(
    dissimilarity: Any,
    n_clusters: int,
    optimiser: str = "alternate",
):
    """A k-medoids problem for :func:`prviz.run`.

    Parameters
    ----------
    dissimilarity : (n, n) array_like or pandas.DataFrame
        At [i, m], how badly point m represents point i: finite and not negative, symmetric or
        not. float32 stays float32, all else becomes float64. :func:`prviz.dissimilarity` makes
        one from points.
    n_clusters : int
        Number of medoids, 1 ≤ n_clusters < n.
    optimiser : {"alternate", "swap"}
        Assign all points and find the best medoid of each cluster, in turns (what the paper calls
        PAM); or make every exchange of a medoid for another point that helps as soon as it is
        found (FasterPAM, Schubert and Rousseeuw 2021), until none does.

    Notes
    -----
    A redraw moves a medoid to a random point that is no medoid; with ``subset="local"`` to one
    near itself, or near another medoid. A restart draws all of them without replacement. A medoid
    is one point or another, so α does not apply: it is ignored.

    A medoid belongs to its own cluster. Of medoids at equal distance, the one with the lowest
    number gets the point.

    Raises
    ------
    TypeError, ValueError
        One sentence that says what is wrong and what to do.
    """
    if optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser must be 'alternate' or 'swap', not {optimiser!r}.")
    by_point = check_dissimilarity(dissimilarity)
    k = whole_number(n_clusters, "n_clusters")
    if not 1 <= k < len(by_point):
        raise ValueError(
            f"n_clusters must be at least 1 and below the number of points, {len(by_point)}, "
            f"not {k}."
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
    if problem.swap:  # exchanges are tried in turns from a random point on
        state.cursor[0] = rng.integers(0, len(state.labels))


@kernels.iterate.register(KMedoids)
def _iterate(problem, state, rng):
    return not improve(problem, state)


@kernels.optimise.register(KMedoids)
def _optimise(problem, state, rng, stop=None):
    return descend(problem, state, stop)


@borrowing
def improve(problem, state) -> bool:
    """One iteration; True if a medoid has moved."""
    settle(problem, state)
    return swap(problem, state) if problem.swap else alternate(problem, state)


@borrowing
def descend(problem, state, stop):
    """Iterate to the end: ``(cost, iterations)``."""
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
