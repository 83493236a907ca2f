"""A restricted Boltzmann machine, in place of :class:`sklearn.neural_network.BernoulliRBM`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..checks import real_number
from ..engine.schedule import Level
from ..problems.rbm.problem import rbm
from ..search.run import Run, run, run_from
from ..search.settings import make_schedule
from .search import LARGEST_SEED, PartialSearch, check_weights, checked_array


class PartialRBM(PartialSearch, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A restricted Boltzmann machine trained by contrastive divergence and partial redraws.

    A redraw is kept if the likelihood after training is not lower. The likelihood is computed
    exactly, over all states of the smaller layer, so this layer may have up to 20 units.

    Parameters
    ----------
    n_components : int, default=10
        Number of hidden units.
    learning_rate : float, default=0.1
    batch_size : int, default=10
    n_iter : int, default=10
        Number of epochs per call.
    weight_decay : float, default=0.0
        λ: models are compared by their mean log-likelihood minus λ ΣW²/2.
    binarize : float or None, default=0.5
        A visible unit is on if its value in X is above this threshold. With None, X must contain
        only zeros and ones.
    probability : float, default=0.1
        Probability of redrawing each weight and bias, if ``k1`` is None.
    k1 : int, "all" or None, default=None
        Number of weights and biases to redraw at a time, instead of ``probability``. "all" makes
        every call a full restart.
    m1 : int, default=100
        Number of redraws per restart.
    alpha : float, default=0.0
        Share of its old value that a redrawn parameter keeps, equation (1) of the paper.
    subset : {"random", "unit"}, default="random"
        How the parameters to redraw are chosen.
    levels : list of prviz.Level, optional
        Levels of any schedule, instead of the five parameters from ``probability`` to ``subset``.
    max_calls : int, "auto" or None, default="auto"
        Number of calls. "auto" redraws each parameter 20 times on average. If
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
    components_ : (n_components, n_features) float64, or float32 if X is float32
        Weights.
    intercept_hidden_ : (n_components,) float64 or float32
    intercept_visible_ : (n_features,) float64 or float32
    log_partition_ : float
        ln Z, the logarithm of the sum over all states of the machine.
    n_iter_, n_calls_ : int
        Total number of epochs, and number of calls.
    n_features_in_ : int
    feature_names_in_ : (n_features,) ndarray of str
        Set only if X has feature names.

    Notes
    -----
    A row of weight 3 counts as three equal rows in the likelihood and its gradient. But contrastive
    divergence samples it once per epoch, with three times the effect. So a fit with weights differs
    from a fit on repeated rows, also for the same seed.

    Examples
    --------
    >>> from prviz.estimators import PartialRBM
    >>> X = [[1, 1, 0, 0], [0, 0, 1, 1]]
    >>> model = PartialRBM(2, n_iter=500, random_state=0).fit(X, sample_weight=[3, 1])
    >>> often, seldom = model.score_samples(X)
    >>> bool(often > seldom)
    True
    """

    _preserved = ("float64", "float32")
    _sparse = True

    def __init__(
        self,
        n_components: int = 10,
        *,
        learning_rate: float = 0.1,
        batch_size: int = 10,
        n_iter: int = 10,
        weight_decay: float = 0.0,
        binarize: float | None = 0.5,
        probability: float = 0.1,
        k1: int | str | None = None,
        m1: int = 100,
        alpha: float = 0.0,
        subset: str = "random",
        levels: Sequence[Level] | None = None,
        max_calls: int | str | None = "auto",
        time_limit: float | None = None,
        random_state: Any = None,
        verbose: int = 0,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.weight_decay = weight_decay
        self.binarize = binarize
        self.probability = probability
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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train on examples.

        Parameters
        ----------
        X : (n_samples, n_features) array_like
        y : ignored
        sample_weight : (n_samples,) array_like, optional
            Weight of each row, 0 or more. Only the ratios of the weights matter.

        Raises
        ------
        TypeError, ValueError
            An argument is invalid.
        """
        X = checked_array(self, X)
        bits, weights = self._weighted(X, sample_weight)
        problem = self._problem(bits, weights, self.n_iter)
        probability = self.probability if self.k1 is None else None
        self._take(self._search(problem, probability=probability), bits, weights, X.dtype)
        self.random_state_ = check_random_state(self.random_state)
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train the present machine on examples for one epoch, without redraws.

        Parameters
        ----------
        X : (n_samples, n_features) array_like
        y : ignored
        sample_weight : (n_samples,) array_like, optional
            Weight of each row, 0 or more. Only the ratios of the weights of one call matter.
        """
        first = not hasattr(self, "components_")
        X = checked_array(self, X, reset=first)
        bits, weights = self._weighted(X, sample_weight)
        if not hasattr(self, "random_state_"):
            self.random_state_ = check_random_state(self.random_state)
        problem, seed = (
            self._problem(bits, weights, 1),
            int(self.random_state_.randint(LARGEST_SEED)),
        )
        if first:
            found = run(problem, k1="all", seed=seed, calls=1)
            self.n_calls_ = self.n_iter_ = 0
        else:
            machine = {
                "weights": self.components_.T,
                "visible_bias": self.intercept_visible_,
                "hidden_bias": self.intercept_hidden_,
            }
            found = run_from(problem, machine, make_schedule(problem, "all"), seed, 1, None)
        self._take(found, bits, weights, X.dtype)
        self.n_calls_ += 1
        self.n_iter_ += 1
        return self

    def _weighted(self, X: np.ndarray, sample_weight: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of positive weight as bits, and their weights."""
        weights = check_weights(sample_weight, len(X))
        kept = weights > 0.0
        return self._bits(X)[kept].astype(np.float64), weights[kept]

    def _problem(self, bits: np.ndarray, weights: np.ndarray, epochs: int) -> Any:
        settings = self.n_components, self.learning_rate, epochs, self.weight_decay
        return rbm(bits, *settings, batch=self.batch_size, weights=weights)

    def _take(self, found: Run, bits: np.ndarray, weights: np.ndarray, kind: np.dtype[Any]) -> None:
        """Set the attributes from the machine that a run has found."""
        machine = found.best_state
        self.components_ = machine.weights.T.astype(kind)
        self.intercept_hidden_ = machine.hidden_bias.astype(kind)
        self.intercept_visible_ = machine.visible_bias.astype(kind)
        # the cost is λ ΣW²/2 − mean ln P(v), and ln P(v) = −F(v) − ln Z
        decay = self.weight_decay * np.square(machine.weights).sum() / 2
        free = _free_energy(bits, machine.weights, machine.hidden_bias, machine.visible_bias)
        mean = np.average(free, weights=weights)
        self.log_partition_ = float(found.best_cost - decay - mean)

    def transform(self, X: Any) -> np.ndarray:
        """Return P(hidden unit is on | visible units), (n_samples, n_components).

        X is binarised as in the fit.
        """
        return self._mean_hiddens(self._checked(X))

    def score_samples(self, X: Any) -> np.ndarray:
        """Return the exact ln P(v) of each sample; scikit-learn returns a random proxy."""
        machine = self.components_.T, self.intercept_hidden_, self.intercept_visible_
        return -_free_energy(self._checked(X), *machine) - self.log_partition_

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the mean of ln P(v), with weights if given."""
        scores = self.score_samples(X)
        return float(np.average(scores, weights=check_weights(sample_weight, len(scores))))

    def gibbs(self, v: Any) -> np.ndarray:
        """Make one step of Gibbs sampling from visible units, (n_samples, n_features) bool.

        The random stream continues from one call to the next.
        """
        hidden = self._mean_hiddens(self._checked(v))
        hidden = self.random_state_.uniform(size=hidden.shape) < hidden
        visible = expit(hidden @ self.components_ + self.intercept_visible_)
        return self.random_state_.uniform(size=visible.shape) < visible

    def _checked(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self._bits(checked_array(self, X, reset=False))

    def _bits(self, X: np.ndarray) -> np.ndarray:
        if self.binarize is not None:
            return (real_number(self.binarize, "binarize") < X).astype(X.dtype)
        if not np.isin(X, (0.0, 1.0)).all():
            raise ValueError(
                "X must contain only zeros and ones. For other values, set the threshold binarize."
            )
        return X

    def _mean_hiddens(self, v: np.ndarray) -> np.ndarray:
        return expit(v @ self.components_.T + self.intercept_hidden_)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)


def _free_energy(
    v: np.ndarray, weights: np.ndarray, hidden_bias: np.ndarray, visible_bias: np.ndarray
) -> np.ndarray:
    activations = v @ weights + hidden_bias
    return -v @ visible_bias - np.logaddexp(0.0, activations).sum(axis=1)
