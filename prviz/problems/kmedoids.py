"""k-medoids: k points, each a variable, that represent all others at the least total dissimilarity.

Two local optimisers, each incremental or plain (``kmedoids_plain.py``): alternating assignment and
best medoid of each cluster (``alternate.py``), and the exchange of single medoids (``swap.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..datasets.matrices import check_dissimilarity
from ..schedule import whole_number
from .alternate import alternate
from .kmedoids_plain import PlainKMedoids
from .medoid_draws import redraw
from .nearest import settle, total
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
    """

    by_point: np.ndarray
    by_medoid: np.ndarray
    k: int
    swap: bool


class KMedoidsState(NamedTuple):
    """Medoids, and the caches that revert with them.

    Attributes
    ----------
    medoids : (k,) int64
        The configuration: numbers of points, no two the same.
    anchors : (k,) int64
        Where the medoids were when the caches were last brought up to date.
    labels, second : (n,) int32
        Nearest and second nearest medoid of each point, numbered from 0 to k − 1.
    distances, second_distances : (n,) as the matrix
        Dissimilarities from those; +∞ from the second where k = 1.
    stale : (k,) uint8
        1 where the cluster has changed since its best medoid was looked for.
    cursor : (1,) int64
        The point that is next to be tried as a medoid.
    point_numbers, cluster_numbers, moved, losses
        Room to work in; what it holds between two calls means nothing.
    """

    WORKSPACE = ("point_numbers", "cluster_numbers", "moved", "losses")

    medoids: np.ndarray
    anchors: np.ndarray
    labels: np.ndarray
    second: np.ndarray
    distances: np.ndarray
    second_distances: np.ndarray
    stale: np.ndarray
    cursor: np.ndarray
    point_numbers: np.ndarray
    cluster_numbers: np.ndarray
    moved: np.ndarray
    losses: np.ndarray


def kmedoids(
    dissimilarity: Any,
    n_clusters: int,
    optimiser: str = "alternate",
    search: str = "incremental",
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
    search : {"incremental", "plain"}
        Two implementations of one algorithm: the same medoids, the second one slowly.

    Notes
    -----
    A redraw moves a medoid to a random point that is no medoid; a restart draws all of them
    without replacement. A medoid is one point or another, so α does not apply: it is ignored.

    A medoid belongs to its own cluster. Of medoids at equal distance, the one with the lowest
    number gets the point.

    Raises
    ------
    TypeError, ValueError
        One sentence that says what is wrong and what to do.
    """
    if optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser must be 'alternate' or 'swap', not {optimiser!r}.")
    if search not in ("incremental", "plain"):
        raise ValueError(f"search must be 'incremental' or 'plain', not {search!r}.")
    by_point = check_dissimilarity(dissimilarity)
    k = whole_number(n_clusters, "n_clusters")
    if not 1 <= k < len(by_point):
        raise ValueError(
            f"n_clusters must be at least 1 and below the number of points, {len(by_point)}, "
            f"not {k}."
        )
    if search == "plain":
        return PlainKMedoids(by_point, k, optimiser == "swap")
    symmetric = np.array_equal(by_point, by_point.T)
    by_medoid = by_point if symmetric else np.ascontiguousarray(by_point.T)
    return KMedoids(by_point, by_medoid, k, optimiser == "swap")


@kernels.allocate.register
def _allocate(problem: KMedoids) -> KMedoidsState:
    n, k, dtype = len(problem.by_point), problem.k, problem.by_point.dtype
    return KMedoidsState(
        medoids=np.arange(k),
        anchors=np.full(k, -1),
        labels=np.zeros(n, np.int32),
        second=np.zeros(n, np.int32),
        distances=np.zeros(n, dtype),
        second_distances=np.zeros(n, dtype),
        stale=np.ones(k, np.uint8),
        cursor=np.zeros(1, np.int64),
        point_numbers=np.zeros((3, n + k), np.int64),
        cluster_numbers=np.zeros((2, k + 1), np.int64),
        moved=np.zeros(k, np.uint8),
        losses=np.zeros((2, k)),
    )


@kernels.n_variables.register
def _n_variables(problem: KMedoids) -> int:
    return problem.k


@kernels.cost.register(KMedoids)
def _cost(problem, state):
    settle(problem, state)
    return total(state.distances)


@kernels.reinitialise.register(KMedoids)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw(len(state.labels), state.medoids, chosen, rng)
    for j in chosen:
        state.stale[j] = 1
    state.cursor[0] = 0


@kernels.iterate.register(KMedoids)
def _iterate(problem, state, rng):
    settle(problem, state)
    if problem.swap:
        return not swap(problem, state)
    return not alternate(problem, state)
