"""Hidden Markov models, in place of :class:`hmmlearn.hmm.CategoricalHMM`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_non_negative

from ..datasets.types.strings import check_lengths
from ..engine.schedule import Level
from ..problems.hmm.plain import backward, forward
from ..problems.hmm.prediction import most_probable_path
from ..problems.hmm.problem import hmm
from .markov import MarkovModel, lengths_given, sequence_weights, weighted_sequences
from .search import validate_data


class PartialHMM(MarkovModel):
    """A hidden Markov model of strings of symbols, trained by Baum–Welch and partial redraws.

    If X has one column, it is one sequence, or several concatenated sequences with their
    ``lengths``, as in hmmlearn. If X has several columns, each row is a sequence, so scikit-learn's
    cross-validation never cuts a sequence. Predicted states then have one row per sequence.

    Parameters
    ----------
    n_components : int, default=2
        Number of hidden states.
    n_features : int, optional
        Number of symbols, which are 0 to ``n_features`` − 1. By default, the symbols are the
        distinct numbers in X, which may be large. A fit does not change this parameter; in
        hmmlearn, a fit sets it to the number of symbols.
    tol : float, default=1e-6
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
        Share of its old probabilities that a redrawn state keeps, equation (1) of the paper.
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
    symbols_ : (number of symbols,) int64
        The different symbols of ``X``, ascending; 0 to ``n_features`` − 1 if that is given.
    emissionprob_ : (n_components, number of symbols) float64
        One column per symbol in ``symbols_``.
    log_likelihood_ : float
        Weighted sum over the training strings.
    n_iter_, n_calls_ : int
        Total number of iterations of Baum–Welch, and number of calls.
    monitor_ : Monitor
        Progress of the search: ``history``, ``iter`` and ``converged``, as in hmmlearn.
    n_features_in_ : int
        Number of columns of X.

    Notes
    -----
    The second argument of ``fit`` and ``score`` is called y, as scikit-learn requires. In hmmlearn,
    this argument is ``lengths``. So a y with one entry per row of X is ignored, and any other list
    is used as ``lengths``.

    ``score``, ``decode`` and ``predict`` raise a ValueError for a symbol that is not in
    ``symbols_``. A string of weight 0 adds no symbols.

    Examples
    --------
    >>> from prviz.estimators import PartialHMM
    >>> X = [[0, 1, 0, 1], [1, 1, 1, 1]]
    >>> weighted = PartialHMM(2, random_state=0).fit(X, sample_weight=[3, 1])
    >>> repeated = PartialHMM(2, random_state=0).fit([*X[:1] * 3, X[1]])
    >>> abs(weighted.log_likelihood_ - repeated.log_likelihood_) < 1e-6
    True
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_features: int | None = None,
        tol: float = 1e-6,
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
        self.n_features = n_features
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
        """Train on strings.

        Parameters
        ----------
        X : (n_samples, 1) array_like of int, or (number of strings, length)
        y : ignored, or the lengths
        lengths : (s,) array_like of int, optional
            Lengths of the sequences, if X has one column.
        sample_weight : (s,) or (n_samples,) array_like, optional
            Weight of each sequence, 0 or more; a weight of 3 equals three equal sequences. You can
            also give one weight per row of X, if all rows of a sequence have equal weights.

        Raises
        ------
        TypeError, ValueError
            An argument is invalid, or X is sparse.
        """
        X = self._symbols(X, reset=True)
        sizes = _lengths(X, y, lengths)
        symbols, sizes, weights = weighted_sequences(X.ravel(), sizes, sample_weight, len(X))
        problem = hmm(
            symbols,
            self.n_components,
            self.n_features,
            lengths=sizes,
            weights=weights,
            tolerance=self.tol,
            max_iterations=self.n_iter,
        )
        model = self._keep(self._search(problem))
        self.emissionprob_ = model.emission.copy()
        known = self.n_features
        self.symbols_ = np.unique(symbols) if known is None else np.arange(known)
        return self

    def score(self, X: Any, y: Any = None, lengths: Any = None, sample_weight: Any = None) -> float:
        """Return the weighted sum of log-likelihoods of strings; y may be the lengths."""
        X = self._checked(X)
        weights = sequence_weights(sample_weight, _lengths(X, y, lengths), len(X))
        each = zip(weights, _each(X, y, lengths), strict=True)
        return float(sum(w * forward(x, *self._model())[2] for w, x in each if w > 0.0))

    def decode(self, X: Any, lengths: Any = None) -> tuple[float, np.ndarray]:
        """Return ln of the probability of the most probable paths (Viterbi), and the paths.

        Returns
        -------
        log_probability : float
            Sum over the strings.
        states : (n_samples,) int64, or (number of strings, length)
        """
        X = self._checked(X)
        found = [most_probable_path(x, *self._model()) for x in _each(X, None, lengths)]
        states = np.concatenate([path for _, path in found])
        return float(sum(chance for chance, _ in found)), states.reshape(_outline(X))

    def predict_proba(self, X: Any, lengths: Any = None) -> np.ndarray:
        """Return the probability of each state at each step, given the whole string.

        Returns
        -------
        (n_samples, n_components) float64, or (number of strings, length, n_components)
            NaN for a string that the model cannot emit.
        """
        X = self._checked(X)
        chances = [self._posteriors(string) for string in _each(X, None, lengths)]
        return np.concatenate(chances).reshape(*_outline(X), len(self.startprob_))

    def _n_observations(self, X: Any) -> int:
        return int(np.size(X))

    def _emit(self, states: np.ndarray, rng: Any) -> np.ndarray:
        symbols = [rng.choice(self.symbols_, p=self.emissionprob_[state]) for state in states]
        return np.array(symbols, np.int64).reshape(-1, 1)

    def _n_parameters(self) -> int:
        """Return the number of free parameters: the last probability of each row is not free."""
        check_is_fitted(self)
        N, K = self.emissionprob_.shape
        return N - 1 + N * (N - 1) + N * (K - 1)

    def _posteriors(self, string: np.ndarray) -> np.ndarray:
        transition, emission, start = self._model()
        ahead, scale, log_likelihood = forward(string, transition, emission, start)
        if log_likelihood == -np.inf:
            return np.full(ahead.shape, np.nan)
        chances = ahead * backward(string, transition, emission, scale)
        return chances / chances.sum(axis=1, keepdims=True)

    def _model(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.transmat_, self.emissionprob_, self.startprob_

    def _checked(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = self._symbols(X, reset=False)
        numbers = np.minimum(np.searchsorted(self.symbols_, X), len(self.symbols_) - 1)
        if (unseen := self.symbols_[numbers] != X).any():
            raise ValueError(
                f"X holds the symbol {X[unseen][0]}, which was not in the training data. Fit on "
                f"sequences with all symbols, or set n_features if symbols are numbered from 0."
            )
        return numbers

    def _symbols(self, X: Any, reset: bool) -> np.ndarray:
        X = validate_data(self, X, reset=reset)
        check_non_negative(X, type(self).__name__)
        fits = X < 2.0**63
        whole = np.where(fits, X, 0).astype(np.int64)
        if (wrong := (whole != X) | ~fits).any():
            raise ValueError(
                f"X must contain symbols: whole numbers from 0 to 2**63 - 1, got {X[wrong][0]}. "
                "Number the symbols."
            )
        return whole

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags


def _lengths(X: np.ndarray, y: Any, lengths: Any) -> np.ndarray:
    """Return the length of each string of X."""
    lengths = lengths_given(len(X), y, lengths)
    if X.shape[1] == 1:
        return check_lengths(lengths, len(X))
    if lengths is not None:
        raise ValueError("X has several columns, so each row is a sequence. Do not pass lengths.")
    return np.full(len(X), X.shape[1])


def _each(X: np.ndarray, y: Any, lengths: Any) -> Iterator[np.ndarray]:
    """Return the strings of X."""
    yield from np.split(X.ravel(), np.cumsum(_lengths(X, y, lengths))[:-1])


def _outline(X: np.ndarray) -> tuple[int, ...]:
    """Return the shape of a result with one value per symbol."""
    return X.shape if X.shape[1] > 1 else (len(X),)
