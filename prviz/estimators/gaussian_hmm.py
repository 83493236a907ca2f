"""Hidden Markov models of series, in place of :class:`hmmlearn.hmm.GaussianHMM`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..datasets.types.strings import check_lengths
from ..engine.kernels import cost
from ..engine.schedule import Level
from ..problems.hmm.gaussian.model import GaussianHMM, GaussianHMMState, components
from ..problems.hmm.gaussian.prediction import held, most_probable_path, posteriors
from ..problems.hmm.problem import hmm
from .markov import MarkovModel, lengths_given, weighted_sequences
from .search import validate_data


class PartialGaussianHMM(MarkovModel):
    """A hidden Markov model with Gaussian emissions, trained by Baum–Welch and partial redraws.

    Parameters
    ----------
    n_components : int, default=2
        Number of hidden states.
    covariance_type : {"diag", "full"}, default="diag"
        "diag": each state has a variance per column. "full": each state has a covariance matrix.
    min_covar : float, optional
        Smallest variance, or smallest eigenvalue of a full covariance matrix. By default 1/1000 of
        each column's variance.
    tol : float, default=1e-3
        Baum–Welch ends at the first iteration that raises the log-likelihood by less than this.
    n_iter : int, default=1000
        Baum–Welch also ends after this many iterations.
    k1 : int, "all", "auto" or None, default=None
        Number of states to redraw at a time; "all" makes every call a full restart. With "auto",
        the search chooses this number, and restarts when it no longer improves. None means 1 if
        ``m1`` is given, otherwise "auto".
    m1 : int, default=None
        Number of redraws per restart; 100 if only ``k1`` is given.
    alpha : float, default=0.0
        Share of its old parameters that a redrawn state keeps, equation (1) of the paper.
    subset : {"random", "together"}, default="random"
        How the states to redraw are chosen.
    levels : list of prviz.Level, optional
        Levels of any schedule, instead of ``k1``, ``m1``, ``alpha`` and ``subset``.
    max_calls : int, "auto" or None, default="auto"
        Number of fits by Baum–Welch. "auto" redraws each state 20 times on average. If
        ``time_limit`` is given, "auto" sets no bound, like None. The same number of calls from the
        same seed gives the same fit.
    time_limit : float, optional
        CPU seconds after which a fit ends. To repeat the fit, set ``max_calls`` to ``n_calls_``.
    random_state : int, RandomState instance or None, default=None
        A whole number is the seed of :func:`prviz.run`.
    verbose : bool, default=False
        Print the progress of the search.
    n_jobs : int, optional
        Number of parallel searches that share their best result, like ``workers`` of
        :func:`prviz.run`. -1 means one per core; None means 1. The fit depends on this number.

    Attributes
    ----------
    startprob_ : (n_components,) float64
    transmat_ : (n_components, n_components) float64
    means_ : (n_components, n_features) float64
    covars_ : (n_components, n_features, n_features) float64
        Covariance matrices, even if they are diagonal, as in hmmlearn.
    n_features : int
        Number of columns of X, as in hmmlearn.
    log_likelihood_ : float
        Weighted sum over the training sequences.
    n_iter_, n_calls_ : int
        Total number of iterations of Baum–Welch, and number of calls.
    monitor_ : Monitor
        Progress of the search: ``history``, ``iter`` and ``converged``, as in hmmlearn.
    n_features_in_ : int
        Number of columns of X.

    Notes
    -----
    hmmlearn adds a prior to the covariances (``covars_prior``). prviz has a floor instead, so that
    Baum–Welch never lowers the likelihood.

    The second argument of ``fit`` and ``score`` is called y, as scikit-learn requires. In hmmlearn,
    this argument is ``lengths``. So a y with one entry per row of X is ignored, and any other list
    is used as ``lengths``.

    Examples
    --------
    >>> from prviz.datasets import regimes
    >>> from prviz.estimators import PartialGaussianHMM
    >>> X = regimes(300).values
    >>> model = PartialGaussianHMM(3, random_state=0).fit(X)
    >>> model.predict(X).shape
    (300,)
    """

    def __init__(
        self,
        n_components: int = 2,
        covariance_type: str = "diag",
        min_covar: float | None = None,
        *,
        tol: float = 1e-3,
        n_iter: int = 1000,
        k1: int | str | None = None,
        m1: int | None = None,
        alpha: float = 0.0,
        subset: str = "random",
        levels: Sequence[Level] | None = None,
        max_calls: int | str | None = "auto",
        time_limit: float | None = None,
        random_state: Any = None,
        verbose: bool = False,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.tol = tol
        self.n_iter = n_iter
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

    def fit(self, X: Any, y: Any = None, lengths: Any = None, sample_weight: Any = None) -> Self:
        """Train on one or several series.

        Parameters
        ----------
        X : (n_samples, n_features) array_like
        y : ignored, or the lengths
        lengths : (s,) array_like of int, optional
            Lengths of several sequences that are concatenated in X.
        sample_weight : (s,) or (n_samples,) array_like, optional
            Weight of each sequence, 0 or more; a weight of 3 equals three equal sequences. You can
            also give one weight per row of X, if all rows of a sequence have equal weights.

        Raises
        ------
        TypeError, ValueError
            An argument is invalid, X is sparse, or a column is constant.
        """
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        sizes = check_lengths(lengths_given(len(X), y, lengths), len(X))
        X, sizes, weights = weighted_sequences(X, sizes, sample_weight, len(X))
        problem = hmm(
            X,
            self.n_components,
            lengths=sizes,
            weights=weights,
            tolerance=self.tol,
            max_iterations=self.n_iter,
            emissions="gaussian",
            n_mix=self._n_mix(),
            covariance_type=self.covariance_type,
            min_covar=self.min_covar,
        )
        model = self._keep(self._search(problem))
        self._keep_densities(*(part.copy() for part in components(model)))
        return self

    def _n_mix(self) -> int:
        return 1

    def _keep_densities(self, weights: np.ndarray, means: np.ndarray, covars: np.ndarray) -> None:
        """Set attributes from weights (N, M), means (N, M, d) and covars (N, M, r, d)."""
        self.means_ = means[:, 0]
        diagonal = self.covariance_type == "diag"
        self.covars_ = covars[:, 0] * np.eye(means.shape[2]) if diagonal else covars[:, 0]

    def _densities(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return weights (N, M), means (N, M, d) and covars (N, M, r, d)."""
        covars = self.covars_
        if self.covariance_type == "diag":
            covars = np.diagonal(covars, axis1=1, axis2=2)[:, None]
        return np.ones((len(covars), 1)), self.means_[:, None], covars[:, None]

    @property
    def n_features(self) -> int:
        return self.n_features_in_

    def score(self, X: Any, y: Any = None, lengths: Any = None, sample_weight: Any = None) -> float:
        """Return the weighted sum of the log-likelihoods of sequences.

        As in :meth:`fit`, y may be the lengths.
        """
        return -float(cost(*self._held(X, y, lengths, sample_weight)))

    def decode(self, X: Any, lengths: Any = None) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of the most probable paths (Viterbi), and the paths.

        Returns
        -------
        log_likelihood : float
            Sum over the sequences.
        states : (n_samples,) int64
        """
        return most_probable_path(*self._held(X, None, lengths))

    def predict_proba(self, X: Any, lengths: Any = None) -> np.ndarray:
        """Return the probability of each state at each step, given the whole sequence.

        Returns
        -------
        (n_samples, n_components) float64
        """
        problem, state = self._held(X, None, lengths)
        posteriors(problem, state)
        chances = state.ahead[:, : len(self.startprob_)]
        return chances / chances.sum(axis=1, keepdims=True)

    def _held(
        self, X: Any, y: Any, lengths: Any, sample_weight: Any = None
    ) -> tuple[GaussianHMM, GaussianHMMState]:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        sizes = check_lengths(lengths_given(len(X), y, lengths), len(X))
        X, sizes, weights = weighted_sequences(X, sizes, sample_weight, len(X))
        problem, state = held(X, sizes, self.startprob_, self.transmat_, *self._densities())
        return problem._replace(weights=weights), state

    def _n_observations(self, X: Any) -> int:
        return len(X)

    def _n_parameters(self) -> int:
        check_is_fitted(self)
        N, M, d = self._densities()[1].shape
        per_covariance = d if self.covariance_type == "diag" else d * (d + 1) // 2
        return N - 1 + N * (N - 1) + N * (M - 1) + N * M * (d + per_covariance)

    def _emit(self, states: np.ndarray, rng: Any) -> np.ndarray:
        weights, means, covars = self._densities()
        M, d = means.shape[1:]
        if self.covariance_type == "diag":
            covars = covars * np.eye(d)
        lower = np.linalg.cholesky(covars)
        which = np.zeros(len(states), np.int64)
        if M > 1:
            chances = rng.random((len(states), 1))
            which = (chances > weights.cumsum(axis=1)[states, :-1]).sum(axis=1)
        deviations = rng.standard_normal((len(states), d))
        offsets = np.einsum("tij,tj->ti", lower[states, which], deviations)
        return means[states, which] + offsets
