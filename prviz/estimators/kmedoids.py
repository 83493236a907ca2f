"""k-medoids by partial reinitialisation, on any metric or a matrix of dissimilarities."""

from __future__ import annotations

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from ..checks import whole_number
from ..datasets.matrices import dissimilarity
from ..problems.kmedoids import kmedoids
from .search import PartialSearch


class PartialKMedoids(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, PartialSearch, BaseEstimator
):
    """k-medoids clustering by partial reinitialisation.

    >>> from prviz.estimators import PartialKMedoids
    >>> model = PartialKMedoids(n_clusters=2, random_state=0).fit([[0.0], [2.0], [5.0], [11.0]])
    >>> model.inertia_, sorted(model.cluster_centers_.ravel().tolist())
    (5.0, [2.0, 11.0])

    Parameters
    ----------
    n_clusters : int, default=8
        Below the number of points.
    metric : str or callable, default="euclidean"
        As :func:`sklearn.metrics.pairwise_distances` takes it. With "precomputed", X is a matrix
        that says at [i, j] how badly point j represents point i; it need not be symmetric.
    method : {"swap", "alternate"}, default="swap"
        Exchange single medoids (FasterPAM), or assign all points and find the best medoid of each
        cluster, in turns.
    k1 : int, "all" or None, default=1
        Medoids to redraw at a time. None means the default; "all" makes every call a full restart.
    m1 : int, default=100
        Redraws for each restart.
    subset : {"random", "local"}, default="random"
        How the medoids to redraw are chosen, and where to.
    levels : list of prviz.Level, optional
        Any hierarchy, instead of ``k1``, ``m1`` and ``subset``.
    max_calls : int, "auto" or None, default="auto"
        Descents of the method: by default so many that each medoid is redrawn 20 times, on
        average. The same number from the same seed gives the same fit; None is no bound.
    time_limit : float, optional
        Ends a fit after so many CPU seconds; ``n_calls_`` says how to repeat it without.
    random_state : int, RandomState instance or None, default=None
        A whole number is the seed of :func:`prviz.run`.

    Attributes
    ----------
    medoid_indices_ : (n_clusters,) int64
        Rows of X.
    cluster_centers_ : (n_clusters, n_features) float64, or None
        These rows; None where the metric is precomputed.
    labels_ : (n_samples,) int32
    inertia_ : float
        Sum of dissimilarities from the nearest medoid.
    n_iter_, n_calls_ : int
        Iterations of the method in all calls, and calls.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) ndarray of str
        Where X has names of features.
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        metric="euclidean",
        method="swap",
        k1=1,
        m1=100,
        subset="random",
        levels=None,
        max_calls="auto",
        time_limit=None,
        random_state=None,
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

    alpha = 0.0  # a medoid is one point or another

    def fit(self, X, y=None):
        """Cluster the points.

        Parameters
        ----------
        X : (n_samples, n_features) array_like, or (n_samples, n_samples) if precomputed
        y : ignored

        Raises
        ------
        TypeError, ValueError, MemoryError
            One sentence that says what is wrong and what to do; sparse X is refused.
        """
        X = validate_data(self, X, dtype=np.float64, order="C")
        k = whole_number(self.n_clusters, "n_clusters")
        if not 1 <= k < len(X):
            raise ValueError(
                f"n_clusters must be at least 1 and below n_samples = {len(X)}, not {k}."
            )
        if self.metric == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed matrix must be square, not {X.shape}.")
            check_non_negative(X, type(self).__name__)
            matrix = X
        else:
            matrix = dissimilarity(X, self.metric)
        found = self._search(kmedoids(matrix, k, self.method))
        self.medoid_indices_ = found.best_state.medoids.copy()
        self.cluster_centers_ = None if matrix is X else X[self.medoid_indices_]
        self.inertia_ = float(found.best_cost)
        self.labels_ = _nearest(matrix[:, self.medoid_indices_])
        return self

    def predict(self, X):
        """Number of the nearest medoid of each point, (n_samples,) int32."""
        return _nearest(self.transform(X))

    def transform(self, X):
        """Dissimilarities of each point from all medoids, (n_samples, n_clusters).

        If precomputed, X is (n_samples, number of points at the fit).
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        if self.metric == "precomputed":
            return X[:, self.medoid_indices_]
        return pairwise_distances(X, self.cluster_centers_, metric=self.metric)

    def score(self, X, y=None):
        """Inertia of other points with these medoids, negative."""
        return -float(self.transform(X).min(axis=1).sum())

    @property
    def _n_features_out(self) -> int:
        return len(self.medoid_indices_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"
        return tags


def _nearest(dissimilarities: np.ndarray) -> np.ndarray:
    return dissimilarities.argmin(axis=1).astype(np.int32)
