"""Common parts of the estimators of hidden Markov models: criteria, states and progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..checks import whole_number, within
from ..engine.trace import Trace
from ..search.run import Run
from .search import PartialSearch, check_weights


class Monitor(NamedTuple):
    """The progress of a search, with the attributes of :class:`hmmlearn.base.ConvergenceMonitor`.

    Attributes
    ----------
    history : list of float
        The highest log-likelihood so far, after each call.
    iter : int
        Iterations of Baum–Welch in all calls.
    converged : bool
        True if the call that found the model ended by ``tol``, not by ``n_iter``.
    tol : float
    n_iter : int
    """

    history: list[float]
    iter: int
    converged: bool
    tol: float
    n_iter: int

    @classmethod
    def of(cls, trace: Trace, tol: float, n_iter: int) -> Monitor:
        """Return the monitor of a trace with at least one call."""
        took = int(trace.iterations[np.argmin(trace.best)])
        history, total = (-trace.best).tolist(), int(trace.iterations.sum())
        return cls(history, total, took < n_iter, tol, n_iter)


class MarkovModel(PartialSearch, DensityMixin, BaseEstimator, ABC):
    """The base of estimators of hidden Markov models."""

    tol: float
    n_iter: int
    startprob_: np.ndarray
    transmat_: np.ndarray

    def _keep(self, found: Run) -> Any:
        """Set the common attributes of all models from a search, and return its best state."""
        model = found.best_state
        self.startprob_ = model.start.copy()
        self.transmat_ = model.transition.copy()
        self.log_likelihood_ = -float(found.best_cost)
        self.monitor_ = Monitor.of(found.trace, self.tol, self.n_iter)
        return model

    @abstractmethod
    def score(self, X: Any, y: Any = None, lengths: Any = None, sample_weight: Any = None) -> float:
        """Return the weighted sum of the log-likelihoods of sequences."""

    @abstractmethod
    def decode(self, X: Any, lengths: Any = None) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of the most probable paths (Viterbi), and the paths."""

    @abstractmethod
    def predict_proba(self, X: Any, lengths: Any = None) -> np.ndarray:
        """Return the probability of each state at each step, given the whole sequence."""

    @abstractmethod
    def _n_parameters(self) -> int:
        """Return the number of free parameters."""

    @abstractmethod
    def _n_observations(self, X: Any) -> int:
        """Return the number of steps of all sequences."""

    @abstractmethod
    def _emit(self, states: np.ndarray, rng: Any) -> np.ndarray:
        """Return a random observation for each state, one per row."""

    def predict(self, X: Any, lengths: Any = None) -> np.ndarray:
        """Return the states of the most probable path, with the shape of :meth:`decode`."""
        return self.decode(X, lengths)[1]

    def score_samples(self, X: Any, lengths: Any = None) -> tuple[float, np.ndarray]:
        """Return :meth:`score` and :meth:`predict_proba` of sequences."""
        return self.score(X, lengths=lengths), self.predict_proba(X, lengths)

    def aic(self, X: Any, lengths: Any = None) -> float:
        """Return Akaike's information criterion of sequences; lower is better."""
        return 2.0 * self._n_parameters() - 2.0 * self.score(X, lengths=lengths)

    def bic(self, X: Any, lengths: Any = None) -> float:
        """Return the Bayesian information criterion of sequences; lower is better."""
        weight = np.log(self._n_observations(X))
        return self._n_parameters() * weight - 2.0 * self.score(X, lengths=lengths)

    def get_stationary_distribution(self) -> np.ndarray:
        """Return the stationary distribution of the states, (n_components,)."""
        check_is_fitted(self)
        values, vectors = np.linalg.eig(self.transmat_.T)
        stationary = np.real(vectors[:, np.argmax(np.real(values))])
        return stationary / stationary.sum()

    def sample(
        self, n_samples: int = 1, random_state: Any = None, currstate: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Generate one sequence from the model.

        Parameters
        ----------
        n_samples : int
            Length of the sequence, at least 1.
        random_state : int, RandomState instance or None
            None means the estimator's ``random_state``.
        currstate : int, optional
            The state of the first observation, as in hmmlearn. By default, it is drawn from
            ``startprob_``.

        Returns
        -------
        X : (n_samples, n_features)
            One column for strings of symbols.
        states : (n_samples,) int64

        Raises
        ------
        TypeError, ValueError
            An argument is invalid.
        """
        check_is_fitted(self)
        rng = check_random_state(self.random_state if random_state is None else random_state)
        N = len(self.startprob_)
        if (n_samples := whole_number(n_samples, "n_samples")) < 1:
            raise ValueError(f"n_samples must be at least 1, got {n_samples}.")
        states = np.empty(n_samples, np.int64)
        if currstate is None:
            states[0] = rng.choice(N, p=self.startprob_)
        else:
            states[0] = within(whole_number(currstate, "currstate"), 0, N - 1, "currstate")
        for t in range(1, n_samples):
            states[t] = rng.choice(N, p=self.transmat_[states[t - 1]])
        return self._emit(states, rng), states


def lengths_given(n: int, y: Any, lengths: Any) -> Any:
    """Return ``lengths``; if it is None, and y is a list that does not have n entries, return y.

    hmmlearn takes lengths in the place of y.
    """
    if lengths is not None or y is None:
        return lengths
    given = np.asarray(y)
    return given if given.ndim == 1 and len(given) != n else None


def sequence_weights(sample_weight: Any, lengths: np.ndarray, n: int) -> np.ndarray:
    """Return the weight of each sequence, 1 by default, or raise a ValueError.

    Parameters
    ----------
    sample_weight : (s,) or (n,) array_like, optional
        One weight per sequence, or one per row of X. Rows of a sequence must have equal weights.
    lengths : (s,) int64
        Length of each sequence.
    n : int
        Number of rows of X.
    """
    weights = check_weights(sample_weight, len(lengths), n)
    if len(weights) == len(lengths):
        return weights
    begins = np.cumsum(lengths) - lengths
    first = np.repeat(begins, lengths)
    if (varies := weights != weights[first]).any():
        row = int(varies.argmax())
        raise ValueError(
            "sample_weight must be equal for all rows of a sequence, got "
            f"{weights[first[row]]:g} for row {first[row]} and {weights[row]:g} for row {row} of "
            "the same sequence. Give one weight per sequence."
        )
    return weights[begins]


def weighted_sequences(
    values: np.ndarray, lengths: np.ndarray, sample_weight: Any, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values, lengths and weights of the sequences of positive weight.

    Parameters
    ----------
    values : (sum of lengths,) or (sum of lengths, d)
        The sequences, concatenated.
    lengths, sample_weight, n
        As in :func:`sequence_weights`.
    """
    weights = sequence_weights(sample_weight, lengths, n)
    kept = weights > 0.0
    return values[np.repeat(kept, lengths)], lengths[kept], weights[kept]
