"""Affinity propagation by scikit-learn, for a requested number of clusters."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..checks import real_number, whole_number
from ..datasets.memory import check_memory
from ..datasets.types.matrices import check_dissimilarity
from .peers import alone

LARGEST_SEED = 2**32 - 1  # largest seed that scikit-learn accepts
MATRICES = 8  # memory of one run, in multiples of the matrix's size

# Differences between logarithms of preferences:
NARROWEST = 1e-6  # stop if a bracket is narrower: inside it, the number of clusters jumps past k
FARTHEST = 30.0  # give up at this distance from the first preference


class Clustering(NamedTuple):
    """The result of affinity propagation.

    Attributes
    ----------
    medoids : (k,) int64
        The exemplars: indices of points, ascending.
    labels : (n,) int64
        Index of the nearest medoid of each point, from 0 to k − 1. Affinity propagation's own
        assignment can differ.
    cost : float
        Total dissimilarity of all points to their nearest medoids.
    preference : float
        The similarity of each point to itself.
    converged : bool
        False if the exemplars were still changing after the last iteration.
    n_iterations : int
        Iterations at this preference.
    n_tries : int
        Number of preferences tried so far, including this one.
    seconds : float
        CPU seconds of all tries.
    """

    medoids: np.ndarray
    labels: np.ndarray
    cost: float
    preference: float
    converged: bool
    n_iterations: int
    n_tries: int
    seconds: float

    @property
    def n_clusters(self) -> int:
        return len(self.medoids)

    @property
    def notice(self) -> str:
        """Return a notice to show with the result; empty after convergence."""
        if self.converged:
            return ""
        return (
            f"Affinity propagation did not converge within {self.n_iterations} iterations: "
            "its clusters may be poor. Allow more iterations, or raise the damping."
        )


class ClustersNotFound(RuntimeError):
    """No preference gave the requested number of clusters.

    Attributes
    ----------
    closest : Clustering
        The result with the closest number of clusters.
    """

    def __init__(self, message: str, closest: Clustering | None = None):
        super().__init__(message)
        self.closest = closest


def affinity_propagation(
    dissimilarity: Any,
    n_clusters: int,
    *,
    damping: float = 0.9,
    convergence_iter: int = 100,
    max_iter: int = 1000,
    max_tries: int = 40,
    seed: int = 0,
    callback: Callable[[Clustering], Any] | None = None,
) -> Clustering:
    """Find ``n_clusters`` clusters by affinity propagation (Frey and Dueck 2007).

    Affinity propagation has no parameter for the number of clusters. A higher preference (the
    similarity of a point to itself) usually gives more clusters. So this function runs
    :class:`sklearn.cluster.AffinityPropagation` at different preferences until one gives
    ``n_clusters``. The search starts at the mean similarity, takes larger and larger steps until
    two preferences bracket ``n_clusters``, and then interpolates between their logarithms.

    Parameters
    ----------
    dissimilarity : (n, n) array_like or pandas.DataFrame
        Entry [i, m] is the cost of representing point i by point m, as in :func:`prviz.kmedoids`.
        The similarity is its negative. The matrix need not be symmetric.
    n_clusters : int
        Number of clusters, 1 ≤ n_clusters < n.
    damping : float
        Share of its previous value that a message keeps in an update, at least 0.5 and below 1.
    convergence_iter : int
        The method has converged if the exemplars do not change for this many iterations.
        scikit-learn's default of 15 is too small with strong damping. The default of 100 is that of
        Frey and Dueck's program.
    max_iter : int
        Maximum number of iterations at one preference.
    max_tries : int
        Maximum number of preferences to try.
    seed : int
        Seed of the small noise that scikit-learn adds to break ties.
    callback : callable
        Function that gets a :class:`Clustering` after every try. If it returns True, the search
        stops.

    Returns
    -------
    Clustering
        A result with exactly ``n_clusters`` medoids. If it did not converge, ``notice`` is a
        warning.

    Raises
    ------
    ClustersNotFound
        The tries are used up, the callback stopped the search, or no preference gives exactly
        ``n_clusters``. The last case can occur if similarities are equal.
    TypeError, ValueError, MemoryError
        An argument is invalid.
    """
    # Long on purpose: this is one loop with five exits, which the docstring explains.
    matrix = check_dissimilarity(dissimilarity)
    n, k = len(matrix), whole_number(n_clusters, "n_clusters")
    if not 1 <= k < n:
        raise ValueError(
            f"n_clusters must be at least 1 and below the number of points ({n}), got {k}."
        )
    options = checked_options(damping, convergence_iter, max_iter, seed)
    if (max_tries := whole_number(max_tries, "max_tries")) < 1:
        raise ValueError(f"max_tries must be at least 1, got {max_tries}.")
    check_messages(n)

    search = PreferenceSearch(k, mean_between(matrix))
    closest: Clustering | None = None
    began = time.thread_time()
    for n_tries in range(1, max_tries + 1):
        medoids, n_iterations = exemplars(matrix, search.preference, options)
        labels, cost = assigned(matrix, medoids)
        seconds, converged = time.thread_time() - began, n_iterations < max_iter
        found = Clustering(
            medoids, labels, cost, search.preference, converged, n_iterations, n_tries, seconds
        )
        stopped = callback is not None and callback(found) is True
        if found.n_clusters == k:
            return found
        if closest is None or abs(found.n_clusters - k) < abs(closest.n_clusters - k):
            closest = found
        if stopped:
            why = "the search was stopped"
            break
        if not search.go_on(found.n_clusters):
            why = f"the number of clusters jumps past {k}: ask for another number"
            break
    else:
        why = "allow more tries (max_tries), or ask for another number"
    assert closest is not None  # because max_tries ≥ 1
    raise ClustersNotFound(
        f"Affinity propagation did not find {k} clusters; the closest of {n_tries} preferences "
        f"gave {closest.n_clusters}: {why}.",
        closest,
    )


def check_messages(n: int) -> None:
    """Raise a MemoryError if the messages between n points do not fit in memory."""
    what = f"the messages of affinity propagation between {n} points"
    check_memory(MATRICES * n * n, what, "use fewer points")


def checked_options(
    damping: Any, convergence_iter: Any, max_iter: Any, seed: Any
) -> dict[str, Any]:
    """Check the arguments; return them as options of scikit-learn's estimator."""
    if not 0.5 <= (damping := real_number(damping, "damping")) < 1:
        raise ValueError(f"damping must be at least 0.5 and below 1, got {damping}.")
    counts = {"convergence_iter": convergence_iter, "max_iter": max_iter}
    for name, count in counts.items():
        if whole_number(count, name) < 1:
            raise ValueError(f"{name} must be at least 1, got {count}.")
    if not 0 <= (seed := whole_number(seed, "seed")) <= LARGEST_SEED:
        raise ValueError(f"seed must be between 0 and {LARGEST_SEED}, got {seed}.")
    return {"damping": damping, "random_state": seed, **counts}


class PreferenceSearch:
    """Search for a preference that gives k clusters, by bracketing."""

    def __init__(self, k: int, dissimilarity: float):
        self._k = k
        self._first = self._at = math.log(dissimilarity)
        self._fewer: tuple[float, float] | None = None
        self._more: tuple[float, float] | None = None
        self._stride = 1.0

    @property
    def preference(self) -> float:
        return -math.exp(self._at)

    def go_on(self, n_clusters: int) -> bool:
        """Choose the next preference from the last number of clusters; return False to give up."""
        excess = math.log(max(n_clusters, 0.5) / self._k)
        if excess < 0:
            self._fewer = (self._at, excess)
        else:
            self._more = (self._at, excess)
        if self._fewer and self._more:
            (few, below), (many, above) = self._fewer, self._more
            share = above / (above - below)
            self._at = many + min(max(share, 0.1), 0.9) * (few - many)
            return few - many > NARROWEST
        self._at += self._stride * excess  # assumes that n_clusters × preference is constant
        self._stride *= 2
        return abs(self._at - self._first) < FARTHEST


def mean_between(matrix: np.ndarray) -> float:
    """Return the mean dissimilarity between two points; 1 if all are 0."""
    n = len(matrix)
    return float(matrix.sum(dtype=np.float64)) / (n * (n - 1)) or 1.0


def exemplars(
    matrix: np.ndarray, preference: float, options: dict[str, Any]
) -> tuple[np.ndarray, int]:
    """Return the exemplars at one preference (there may be none), and the number of iterations."""
    from sklearn.cluster import AffinityPropagation

    model = AffinityPropagation(
        affinity="precomputed", preference=preference, copy=False, **options
    )
    with alone():  # no warning: the caller tests convergence by n_iter_
        model.fit(np.negative(matrix, dtype=np.float64))
    return np.asarray(model.cluster_centers_indices_, dtype=np.int64), int(model.n_iter_)


def assigned(matrix: np.ndarray, medoids: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the nearest medoid of each point, and the total dissimilarity."""
    if not len(medoids):
        return np.full(len(matrix), -1), math.inf
    to_medoids = matrix[:, medoids]
    labels = to_medoids.argmin(axis=1)
    labels[medoids] = np.arange(len(medoids))
    return labels, float(to_medoids.min(axis=1).sum(dtype=np.float64))
