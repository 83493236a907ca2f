"""Hidden Markov models with mixture emissions, in place of :class:`hmmlearn.hmm.GMMHMM`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.schedule import Level
from .gaussian_hmm import PartialGaussianHMM


class PartialGMMHMM(PartialGaussianHMM):
    """A hidden Markov model whose states emit from mixtures of Gaussian components.

    It has the methods of :class:`PartialGaussianHMM`.

    Parameters
    ----------
    n_components : int, default=2
        Number of hidden states.
    n_mix : int, default=2
        Number of components of each state's mixture.
    covariance_type : {"diag", "full"}, default="diag"
        "diag": a component has a variance per column. "full": a component has a covariance matrix.
    min_covar : float, optional
        Smallest variance, or smallest eigenvalue of a full covariance matrix. By default 1/1000 of
        each column's variance.
    tol : float, default=1e-3
        Baum–Welch ends at the first iteration that raises the log-likelihood by less than this.
    n_iter : int, default=1000
        Baum–Welch also ends after this many iterations.
    k1, m1, alpha, subset, levels, max_calls, time_limit, random_state, verbose, n_jobs
        As in :class:`PartialGaussianHMM`. A redraw of a state redraws all its components.

    Attributes
    ----------
    startprob_ : (n_components,) float64
    transmat_ : (n_components, n_components) float64
    weights_ : (n_components, n_mix) float64
    means_ : (n_components, n_mix, n_features) float64
    covars_ : (n_components, n_mix, n_features) or (n_components, n_mix, n_features, n_features)
        Variances ("diag"), or covariance matrices ("full").
    n_features, log_likelihood_, n_iter_, n_calls_, monitor_, n_features_in_
        As in :class:`PartialGaussianHMM`.

    Notes
    -----
    ``min_covar`` is a lower bound during the whole fit; in hmmlearn, it changes only the initial
    covariances. ``aic`` and ``bic`` count the free weights of all states; in hmmlearn, they count
    the weights of one state.

    Examples
    --------
    >>> from prviz.datasets import regimes
    >>> from prviz.estimators import PartialGMMHMM
    >>> X = regimes(300).values
    >>> model = PartialGMMHMM(2, n_mix=2, max_calls=20, random_state=0).fit(X)
    >>> model.weights_.shape, model.means_.shape
    ((2, 2), (2, 2, 1))
    """

    def __init__(
        self,
        n_components: int = 2,
        n_mix: int = 2,
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
        super().__init__(
            n_components,
            covariance_type,
            min_covar,
            tol=tol,
            n_iter=n_iter,
            k1=k1,
            m1=m1,
            alpha=alpha,
            subset=subset,
            levels=levels,
            max_calls=max_calls,
            time_limit=time_limit,
            random_state=random_state,
            verbose=verbose,
            n_jobs=n_jobs,
        )
        self.n_mix = n_mix

    def _n_mix(self) -> int:
        return self.n_mix

    def _keep_densities(self, weights: np.ndarray, means: np.ndarray, covars: np.ndarray) -> None:
        self.weights_, self.means_ = weights, means
        self.covars_ = covars[:, :, 0] if self.covariance_type == "diag" else covars

    def _densities(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        diagonal = self.covariance_type == "diag"
        return self.weights_, self.means_, self.covars_[:, :, None] if diagonal else self.covars_
