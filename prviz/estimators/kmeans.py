"""k-means by partial reinitialisation, in place of :class:`sklearn.cluster.KMeans`."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from ..checks import whole_number
from ..problems.kmeans import kmeans
from .search import PartialSearch

#: Names of starts in scikit-learn, and here.
INITS = {"k-means++": "k-means++", "random": "forgy"}


class PartialKMeans(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, PartialSearch, BaseEstimator
):
    """k-means clustering by partial reinitialisation.

    >>> from prviz.estimators import PartialKMeans
    >>> model = PartialKMeans(n_clusters=2, random_state=0).fit([[0.0], [2.0], [10.0]])
    >>> model.inertia_, sorted(model.cluster_centers_.ravel().tolist())
    (2.0, [1.0, 10.0])

    Parameters
    ----------
    n_clusters : int, default=8
        At most ``n_samples``.
    init : {"k-means++", "random"}, default="k-means++"
        Where a restart puts the centres. A partial redraw puts a centre on a random point.
    k1 : int, "all" or None, default=1
        Centres to redraw at a time. None means the default; "all" makes every call a full restart.
    m1 : int, default=100
        Redraws for each restart.
    alpha : float, default=0.0
        Share of its old position that a redrawn centre keeps, equation (1).
    subset : {"random", "neighbours", "tournament"}, default="random"
        How the centres to redraw are chosen.
    levels : list of prviz.Level, optional
        Any hierarchy, instead of ``k1``, ``m1``, ``alpha`` and ``subset``.
    max_calls : int, "auto" or None, default="auto"
        Descents of Lloyd's algorithm: by default so many that each centre is redrawn 20 times, on
        average. The same number from the same seed gives the same fit; None is no bound.
    time_limit : float, optional
        Ends a fit after so many CPU seconds; ``n_calls_`` says how to repeat it without.
    random_state : int, RandomState instance or None, default=None
        A whole number is the seed of :func:`prviz.run`.

    Attributes
    ----------
    cluster_centers_ : (n_clusters, n_features) float64
        Two may lie on one spot, or one have no points, if the search was short.
    labels_ : (n_samples,) int32
    inertia_ : float
        Sum of squared distances from the nearest centre, each times its point's weight.
    n_iter_, n_calls_ : int
        Iterations of Lloyd's algorithm in all calls, and calls.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) ndarray of str
        Where X has names of features.

    Notes
    -----
    Points on one spot are searched as one of their added-up weight, and in sorted order: repeated
    rows are the same as weights, and the order of rows changes nothing, with the same seed.
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        init="k-means++",
        k1=1,
        m1=100,
        alpha=0.0,
        subset="random",
        levels=None,
        max_calls="auto",
        time_limit=None,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.k1 = k1
        self.m1 = m1
        self.alpha = alpha
        self.subset = subset
        self.levels = levels
        self.max_calls = max_calls
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(self, X, y=None, sample_weight=None):
        """Cluster the points.

        Parameters
        ----------
        X : (n_samples, n_features) array_like
        y : ignored
        sample_weight : (n_samples,) array_like, optional
            How much each point counts, 0 or more; a weight of 3 is three equal rows.

        Raises
        ------
        TypeError, ValueError
            One sentence that says what is wrong and what to do; sparse X is refused.
        """
        X = validate_data(self, X, dtype=np.float64, order="C")
        weights = _check_weights(sample_weight, len(X))
        if self.init not in INITS:
            raise ValueError(f"init must be 'k-means++' or 'random', not {self.init!r}.")
        k = whole_number(self.n_clusters, "n_clusters")
        if not 1 <= k <= len(X):
            raise ValueError(f"n_clusters must be between 1 and n_samples = {len(X)}, not {k}.")
        points, weights = _merged(X[weights > 0.0], weights[weights > 0.0])
        unit = weights[0] if (weights == weights[0]).all() else 1.0
        problem = kmeans(points, min(k, len(points)), INITS[self.init], weights=weights / unit)
        found = self._search(problem)
        self.cluster_centers_ = _filled_up(found.best_state.centers, k)
        self.inertia_ = float(found.best_cost * unit)
        self._any_model = KMeans(1, n_init=1).fit(points[:1])
        self.labels_ = self._model().predict(X)
        return self

    def predict(self, X):
        """Number of the nearest centre of each point, (n_samples,) int32."""
        X = self._checked(X)
        with config_context(assume_finite=True):  # just checked, and a quarter of the time
            return self._model().predict(X)

    def transform(self, X):
        """Distances of each point from all centres, (n_samples, n_clusters)."""
        X = self._checked(X)
        return self._model().transform(X)

    def score(self, X, y=None, sample_weight=None):
        """Inertia of other points with these centres, negative."""
        X = self._checked(X)
        return float(self._model().score(X, sample_weight=_check_weights(sample_weight, len(X))))

    def _checked(self, X) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, order="C", reset=False)

    def _model(self) -> KMeans:
        """scikit-learn's, with our centres: its ``predict`` is hard to beat.

        It was fitted to one point, once: a fit of its own takes longer than to predict a thousand.
        """
        model = copy.copy(self._any_model)
        model.cluster_centers_ = self.cluster_centers_
        return model

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)


def _check_weights(sample_weight: Any, n: int) -> np.ndarray:
    if sample_weight is None:
        return np.ones(n)
    try:
        weights = np.asarray(sample_weight, np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight must be one number a sample.") from None
    if weights.shape != (n,):
        raise ValueError(f"sample_weight must have the shape ({n},), not {weights.shape}.")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must be finite and not negative.")
    if not weights.any():
        raise ValueError("sample_weight is zero for all samples: at least one weight must not be.")
    return weights


def _filled_up(centers: np.ndarray, k: int) -> np.ndarray:
    """k centres, of which those without a point of their own lie on the last one, and a warning."""
    if (found := len(centers)) < k:
        warnings.warn(
            f"There are {found} distinct points, fewer than n_clusters = {k}: "
            f"{k - found} centres have no points.",
            ConvergenceWarning,
            stacklevel=3,
        )
    return centers[np.minimum(np.arange(k), found - 1)]


def _merged(X: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct points in sorted order, and what all on one spot weigh together."""
    points, spot = np.unique(X, axis=0, return_inverse=True)
    return points, np.bincount(spot.ravel(), weights)
