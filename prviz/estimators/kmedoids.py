"""k-medoids by partial reinitialisation, on any metric or a matrix of dissimilarities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.metrics import pairwise_distances
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from ..checks import whole_number
from ..datasets.types.matrices import EUCLIDEAN, check_dissimilarity, check_entries, dissimilarity
from ..engine.schedule import Level
from ..problems.kmedoids.problem import kmedoids, of_matrix
from .search import PartialSearch, check_weights, checked_array

#: Metrics of SciPy that need parameters, or are unknown to scikit-learn.
BY_SCIPY = ("seuclidean", "mahalanobis", "jensenshannon")


class PartialKMedoids(
    PartialSearch, ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator
):
    """k-medoids clustering by partial reinitialisation.

    >>> from prviz.estimators import PartialKMedoids
    >>> model = PartialKMedoids(n_clusters=2, random_state=0).fit([[0.0], [2.0], [5.0], [11.0]])
    >>> model.inertia_, sorted(model.cluster_centers_.ravel().tolist())
    (13.0, [2.0, 11.0])

    Parameters
    ----------
    n_clusters : int, default=8
        Number of medoids; it must be below the number of points.
    metric : str or callable, default="sqeuclidean"
        A metric of :func:`sklearn.metrics.pairwise_distances`. "sqeuclidean" is the squared
        distance, also the default of :func:`prviz.dissimilarity`. With "precomputed", X is a matrix
        whose entry [i, j] is the cost of representing point i by point j. The matrix need not be
        symmetric. If one triangle is empty, the matrix is read as symmetric, with a warning.
    method : {"swap", "alternate"}, default="swap"
        "swap" exchanges single medoids (FasterPAM). "alternate" repeats two steps: assign all
        points, and find the best medoid of each cluster.
    k1 : int, "all" or None, default=1
        Number of medoids to redraw at a time. None means 1; "all" makes every call a full restart.
    m1 : int, default=100
        Number of redraws per restart.
    subset : {"random", "local"}, default="random"
        How the medoids to redraw, and their new places, are chosen.
    levels : list of prviz.Level, optional
        Levels of any schedule, instead of ``k1``, ``m1`` and ``subset``.
    max_calls : int, "auto" or None, default="auto"
        Number of descents of the method. "auto" redraws each medoid 20 times on average. If
        ``time_limit`` is given, "auto" sets no bound, like None. The same number of calls from the
        same seed gives the same fit.
    time_limit : float, optional
        CPU seconds after which a fit ends. To repeat the fit, set ``max_calls`` to ``n_calls_``.
    random_state : int, RandomState instance or None, default=None
        A whole number is the seed of :func:`prviz.run`.
    verbose : int, default=0
        Above 0, print the progress of the search.
    n_jobs : int, optional
        Number of parallel searches that share their best result, like ``workers`` of
        :func:`prviz.run`. -1 means one per core; None means 1. The fit depends on this number.

    Attributes
    ----------
    medoid_indices_ : (n_clusters,) int64
        Rows of X that are the medoids.
    cluster_centers_ : (n_clusters, n_features) float64 or float32, as X, or None
        The medoids; None if the metric is precomputed.
    labels_ : (n_samples,) int32
    inertia_ : float
        Sum over the points of the weight times the dissimilarity from the nearest medoid.
    n_iter_, n_calls_ : int
        Total number of iterations of the method, and number of calls.
    n_features_in_ : int
    feature_names_in_ : (n_features,) ndarray of str
        Set only if X has feature names.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "sqeuclidean",
        method: str = "swap",
        k1: int | str | None = 1,
        m1: int = 100,
        subset: str = "random",
        levels: Sequence[Level] | None = None,
        max_calls: int | str | None = "auto",
        time_limit: float | None = None,
        random_state: Any = None,
        verbose: int = 0,
        n_jobs: int | None = None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.method = method
        self.k1 = k1
        self.m1 = m1
        self.subset = subset
        self.levels = levels
        self.max_calls = max_calls
        self.time_limit = time_limit
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs

    alpha = 0.0  # a medoid is a point, so α does not apply
    _sparse = True

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Cluster the points.

        Parameters
        ----------
        X : (n_samples, n_features) array_like, or (n_samples, n_samples) if precomputed
        y : ignored
        sample_weight : (n_samples,) array_like, optional
            Weight of each point, 0 or more. A point of weight 0 cannot be a medoid.

        Raises
        ------
        TypeError, ValueError, MemoryError
            An argument is invalid, X is a sparse matrix of dissimilarities, or the matrix does not
            fit in memory.
        """
        given = self.metric == "precomputed"
        finite = "allow-nan" if given else True  # one triangle may be empty (NaN)
        X = self._array(X, ensure_all_finite=finite)
        k = whole_number(self.n_clusters, "n_clusters")
        if not 1 <= k < len(X):
            raise ValueError(
                f"n_clusters must be at least 1 and below n_samples = {len(X)}, got {k}."
            )
        matrix = X if given else dissimilarity(X, self.metric)
        self._of_data = _parameters(X, self.metric)
        if sample_weight is None:
            problem = kmedoids(matrix, k, self.method)
            rows, matrix = np.arange(len(X)), problem.by_point
        else:
            weights, matrix = check_weights(sample_weight, len(X)), check_dissimilarity(matrix)
            rows = np.flatnonzero(weights)
            if k >= len(rows):
                raise ValueError(
                    f"n_clusters must be below the number of samples with a positive "
                    f"sample_weight, {len(rows)}, got {k}."
                )
            with np.errstate(over="ignore"):
                weighted = matrix[np.ix_(rows, rows)] * weights[rows, None]
            check_entries(weighted)
            problem = of_matrix(weighted, k, self.method)
        found = self._search(problem)
        self.medoid_indices_ = rows[found.best_state.medoids]
        self.cluster_centers_ = None if given else X[self.medoid_indices_]
        self.inertia_ = float(found.best_cost)
        self.labels_ = _nearest(matrix[:, self.medoid_indices_])
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the number of the nearest medoid of each point, (n_samples,) int32."""
        return _nearest(self._distances(self._checked(X)))

    def transform(self, X: Any) -> np.ndarray:
        """Return the dissimilarities of each point from all medoids, (n_samples, n_clusters).

        If the metric is precomputed, X has one column per training point.
        """
        X = self._checked(X)
        distances = self._distances(X)
        given = self.metric == "precomputed"
        kind = X.dtype if given else np.result_type(X, self.cluster_centers_)
        return distances.astype(kind, copy=False)

    def _checked(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self._array(X, reset=False)

    def _array(self, X: Any, **options: Any) -> np.ndarray:
        if self.metric == "precomputed":  # entries that a sparse matrix omits are not 0
            options["accept_sparse"] = False
        return checked_array(self, X, **options)

    def _distances(self, X: np.ndarray) -> np.ndarray:
        """Return the dissimilarities from all medoids, in float64 if prviz computes them."""
        if self.metric == "precomputed":
            return X[:, self.medoid_indices_]
        centers = self.cluster_centers_
        if isinstance(self.metric, str) and self.metric in EUCLIDEAN:
            name = "sqeuclidean" if self.metric == "sqeuclidean" else "euclidean"
            return cdist(X, centers, name)
        if isinstance(self.metric, str) and self.metric in BY_SCIPY:
            return cdist(X, centers, self.metric, **self._of_data)
        return pairwise_distances(X, centers, metric=self.metric)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return minus the inertia of the points X with the fitted medoids."""
        distances = self._distances(self._checked(X)).min(axis=1)
        return -float(np.sum(check_weights(sample_weight, len(distances)) * distances))

    @property
    def _n_features_out(self) -> int:
        return len(self.medoid_indices_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"
        return tags


def _parameters(X: np.ndarray, metric: Any) -> dict[str, np.ndarray]:
    """Return the parameters that SciPy's ``pdist`` computes from the data X."""
    if isinstance(metric, str) and metric == "seuclidean":
        return {"V": np.var(X, axis=0, ddof=1, dtype=np.float64)}
    if isinstance(metric, str) and metric == "mahalanobis":
        covariance = np.cov(X, rowvar=False, dtype=np.float64)
        return {"VI": np.linalg.inv(np.atleast_2d(covariance)).T}
    return {}


def _nearest(dissimilarities: np.ndarray) -> np.ndarray:
    return dissimilarities.argmin(axis=1).astype(np.int32)
