"""k-means by partial reinitialisation, in place of :class:`sklearn.cluster.KMeans`."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn import config_context
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted

from ..checks import whole_number
from ..datasets.distances import nearest, products_suffice
from ..engine.schedule import Level, Schedule
from ..problems.kmeans.problem import kmeans
from .search import PartialSearch, check_weights, checked_array

#: Names of initialisations in scikit-learn and in prviz.
INITS = {"k-means++": "k-means++", "random": "forgy"}
#: Up to this value of X.size × n_clusters, exact differences are faster than scikit-learn.
FEW = 1 << 15


class PartialKMeans(
    PartialSearch, ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator
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
    init : {"k-means++", "random"}, callable or array_like, default="k-means++"
        Initial centres of a restart. An array (n_clusters, n_features), or a callable
        ``init(X, n_clusters, random_state)`` that returns an array, gives the centres of the first
        call; later restarts use k-means++. This choice does not affect partial redraws.
    n_init : "auto" or int, default="auto"
        Smallest number of restarts in ``max_calls`` calls. A number replaces ``m1``; with "auto",
        ``m1`` applies. A redraw follows each restart. So with ``max_calls="auto"``, a fit makes at
        least 2 × ``n_init`` calls.
    k1 : int, "all" or None, default=1
        Number of centres to redraw at a time. None means 1; "all" makes every call a full restart.
    m1 : int, default=100
        Number of redraws per restart.
    alpha : float, default=0.0
        Share of its old position that a redrawn centre keeps, equation (1) of the paper.
    subset : {"random", "neighbours", "tournament"}, default="random"
        How the centres to redraw are chosen.
    levels : list of prviz.Level, optional
        Levels of any schedule, instead of ``k1``, ``m1``, ``alpha`` and ``subset``.
    max_calls : int, "auto" or None, default="auto"
        Number of descents of Lloyd's algorithm. "auto" redraws each centre 20 times on average. If
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
    max_iter, tol, copy_x, algorithm
        No effect. They are accepted so that you can keep the settings of ``KMeans``. Each call ends
        when no point changes its cluster, and X is never changed.

    Attributes
    ----------
    cluster_centers_ : (n_clusters, n_features) float64, or float32 if X is float32
        After a short search, two centres may be equal, or a centre may have no points.
    labels_ : (n_samples,) int32
    inertia_ : float
        Sum over the points of the weight times the squared distance from the nearest centre.
    n_iter_, n_calls_ : int
        Total number of iterations of Lloyd's algorithm, and number of calls.
    n_features_in_ : int
    feature_names_in_ : (n_features,) ndarray of str
        Set only if X has feature names.

    Notes
    -----
    Equal points are merged with their total weight, and points are sorted. So for the same seed, a
    repeated row has the same effect as a larger weight, and the order of rows has no effect.

    Distances are computed from differences in float64, so labels are also correct far from the
    origin, for example for Unix times. If several centres are equally near, the label is the lowest
    number.
    """

    _preserved = ("float64", "float32")
    _sparse = True

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: int | str = "auto",
        k1: int | str | None = 1,
        m1: int = 100,
        alpha: float = 0.0,
        subset: str = "random",
        levels: Sequence[Level] | None = None,
        max_calls: int | str | None = "auto",
        time_limit: float | None = None,
        random_state: Any = None,
        verbose: int = 0,
        n_jobs: int | None = None,
        max_iter: int = 300,
        tol: float = 1e-4,
        copy_x: bool = True,
        algorithm: str = "lloyd",
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.k1 = k1
        self.m1 = m1
        self.alpha = alpha
        self.subset = subset
        self.levels = levels
        self.max_calls = max_calls
        self.time_limit = time_limit
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.max_iter = max_iter
        self.tol = tol
        self.copy_x = copy_x
        self.algorithm = algorithm

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Cluster the points.

        Parameters
        ----------
        X : (n_samples, n_features) array_like or sparse matrix
            A sparse matrix is converted to an array.
        y : ignored
        sample_weight : (n_samples,) array_like, optional
            Weight of each point, 0 or more; a weight of 3 equals three equal rows.

        Raises
        ------
        TypeError, ValueError
            An argument is invalid.
        """
        X = checked_array(self, X)
        kind, X = X.dtype, X.astype(np.float64, copy=False)
        weights = check_weights(sample_weight, len(X))
        k = whole_number(self.n_clusters, "n_clusters")
        if not 1 <= k <= len(X):
            raise ValueError(f"n_clusters must be between 1 and n_samples = {len(X)}, got {k}.")
        init, first = self._init(X, k)
        points, weights = _merged(X[weights > 0.0], weights[weights > 0.0])
        unit = weights[0] if (weights == weights[0]).all() else 1.0
        found_k = min(k, len(points))
        problem = kmeans(points, found_k, init, weights=weights / unit)
        found = self._search(problem, None if first is None else {"centers": first[:found_k]})
        self.cluster_centers_ = _filled_up(found.best_state.centers, k).astype(kind, copy=False)
        self.inertia_ = float(found.best_cost * unit)
        self._any_model = KMeans(1, n_init=1).fit(points[:1])
        self.labels_ = self._nearest(X)
        if kind != np.float64:  # the centres were rounded to float32
            self.inertia_ = -self.score(X, sample_weight=sample_weight)
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Fit, and return the labels of the points; see :meth:`fit`."""
        return self.fit(X, y, sample_weight).labels_

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Fit, and return the distances of each point from all centres; see :meth:`fit`."""
        return self.fit(X, y, sample_weight).transform(X)

    def predict(self, X: Any) -> np.ndarray:
        """Return the number of the nearest centre of each point, (n_samples,) int32."""
        return self._nearest(self._checked(X)[0])

    def transform(self, X: Any) -> np.ndarray:
        """Return the distances of each point from all centres, (n_samples, n_clusters)."""
        X, kind = self._checked(X)
        centers = self.cluster_centers_
        distances = cdist(X, centers.astype(np.float64, copy=False))
        return distances.astype(np.result_type(kind, centers.dtype), copy=False)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return minus the inertia of the points X with the fitted centres."""
        X, _ = self._checked(X)
        away = X - self.cluster_centers_[self._nearest(X)]
        squares = np.einsum("ij,ij->i", away, away)
        return -float(np.sum(check_weights(sample_weight, len(X)) * squares))

    def _schedule(self, problem: Any, **more: Any) -> Schedule:
        """Return the schedule of a search; an ``n_init`` other than "auto" replaces ``m1``."""
        schedule = super()._schedule(problem, **more)
        restarts = self._restarts()
        if restarts is None:
            return schedule
        if self.levels is not None:
            raise ValueError("Give either levels or n_init, not both.")
        if schedule.n_levels == 1:  # each call is a restart
            return schedule
        calls = self._budget(schedule)["calls"]
        if calls is None:
            raise ValueError("n_init needs max_calls. With a time limit alone, set m1 instead.")
        if calls < 2 * restarts:
            raise ValueError(
                f"n_init = {restarts} needs max_calls of at least {2 * restarts}, got {calls}: "
                "a redraw follows each restart."
            )
        return super()._schedule(problem, m1=calls // restarts - 1)

    def _budget(self, schedule: Schedule) -> dict[str, Any]:
        """Return the limits of a search, with enough calls for ``n_init`` if they are "auto"."""
        limits, restarts = super()._budget(schedule), self._restarts()
        automatic = isinstance(self.max_calls, str) and limits["calls"] is not None
        if automatic and restarts is not None:
            enough = restarts if schedule.n_levels == 1 else 2 * restarts
            limits["calls"] = max(limits["calls"], enough)
        return limits

    def _restarts(self) -> int | None:
        """Return ``n_init`` as a number, or None if it is "auto"."""
        if isinstance(self.n_init, str) and self.n_init == "auto":
            return None
        if (restarts := whole_number(self.n_init, "n_init")) < 1:
            raise ValueError(f"n_init must be at least 1, got {restarts}.")
        return restarts

    def _init(self, X: np.ndarray, k: int) -> tuple[str, np.ndarray | None]:
        """Return the initialisation of restarts, and the centres of the first call if given."""
        init = self.init
        if isinstance(init, str):
            if init not in INITS:
                raise ValueError(
                    f"init must be 'k-means++', 'random', an array or a callable, got {init!r}."
                )
            return INITS[init], None
        if callable(init):
            init = init(X, k, check_random_state(self.random_state))
        first = check_array(init, dtype=np.float64, input_name="init")
        if first.shape != (k, X.shape[1]):
            raise ValueError(
                f"init must have the shape (n_clusters, n_features) = ({k}, {X.shape[1]}), "
                f"got {first.shape}."
            )
        return "k-means++", first

    def _checked(self, X: Any) -> tuple[np.ndarray, np.dtype[Any]]:
        """Return X as float64, and its original type."""
        check_is_fitted(self)
        X = checked_array(self, X, reset=False)
        return X.astype(np.float64, copy=False), X.dtype

    def _nearest(self, X: np.ndarray) -> np.ndarray:
        """Return the number of the nearest centre of each point.

        scikit-learn's ``predict`` is two to three times as fast as exact differences, but has
        larger rounding errors. So ``predict`` is used only if rounding errors cannot change a
        label. The ``KMeans`` that predicts is first fitted to a single point, because a fit to all
        points takes longer than predicting a thousand points.
        """
        centers = self.cluster_centers_.astype(np.float64, copy=False)
        if X.size * len(centers) <= FEW or not products_suffice(X, centers):
            return nearest(X, centers).astype(np.int32)
        model = copy.copy(self._any_model)
        model.cluster_centers_ = centers
        with config_context(assume_finite=True):  # X was checked; this saves 25 % of the time
            return model.predict(X)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)


def _filled_up(centers: np.ndarray, k: int) -> np.ndarray:
    """Return k centres; if there are fewer, warn and repeat the last one."""
    if (found := len(centers)) < k:
        warnings.warn(
            f"There are {found} distinct points, fewer than n_clusters = {k}: "
            f"{k - found} centres have no points.",
            ConvergenceWarning,
            stacklevel=3,
        )
    return centers[np.minimum(np.arange(k), found - 1)]


def _merged(X: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct points in sorted order, and the total weight of each."""
    points, spot = np.unique(X, axis=0, return_inverse=True)
    return points, np.bincount(spot.ravel(), weights)
