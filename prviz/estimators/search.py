"""The common base of all estimators: parameters, seed, and limits of a search."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, check_random_state, validation

from ..checks import real_number, whole_number
from ..datasets.check import LARGEST, reject_masked
from ..engine.schedule import Level, Schedule
from ..search.run import Progress, Run, run, run_from
from ..search.settings import make_schedule

FLOATS = (np.float64, np.float32)
LARGEST_SEED = 2**31 - 1
#: Average number of redraws per variable for ``max_calls="auto"``.
REDRAWS = 20


class PartialSearch(BaseEstimator):
    """The base of estimators that search by :func:`prviz.run`.

    Each class documents its parameters.
    """

    k1: int | str | None
    m1: int | None
    alpha: float
    subset: str
    levels: Sequence[Level] | None
    max_calls: int | str | None
    time_limit: float | None
    random_state: Any
    verbose: Any
    n_jobs: int | None = None
    #: Types of X for which ``transform`` returns the same type.
    _preserved: ClassVar[tuple[str, ...]] = ("float64",)
    #: True if X may be sparse; it is converted to an array.
    _sparse: ClassVar[bool] = False

    def _search(self, problem: Any, first: Any = None, **more: Any) -> Run:
        """Search the problem with the estimator's parameters, and set ``n_calls_`` and ``n_iter_``.

        The first call begins at the configuration ``first``, a mapping of fields, if given. After
        Ctrl-C, the estimator is not fitted, as elsewhere in scikit-learn.
        """
        schedule = self._schedule(problem, **more)
        settings = {"seed": self._seed(), **self._budget(schedule)}
        if self.verbose:
            settings["callback"] = self._report
        if (searches := effective_n_jobs(self.n_jobs)) > 1:
            if first is not None:
                raise ValueError("Give either n_jobs or an array as init, not both.")
            settings["workers"] = searches
        if first is None:
            found = run(problem, levels=schedule.levels(), **settings)
        else:
            found = run_from(problem, first, schedule, **settings)
        if found.interrupted:
            raise KeyboardInterrupt
        if not found.calls:
            raise FloatingPointError(f"The search found nothing: {found.failure}.")
        self.n_calls_ = found.calls
        self.n_iter_ = int(found.trace.iterations.sum())
        return found

    def _schedule(self, problem: Any, **more: Any) -> Schedule:
        settings: dict[str, Any] = {"levels": self.levels}
        if self.levels is None:
            settings = {"k1": self.k1, "m1": self.m1, "alpha": self.alpha, "subset": self.subset}
            settings |= more
        return make_schedule(problem, **settings)

    def _report(self, now: Progress) -> None:
        """Print a line of progress, as scikit-learn's estimators do if they are verbose."""
        print(
            f"[{type(self).__name__}] {now.calls} calls, best cost = {now.best_cost:.8g}, "
            f"time = {now.seconds:.2f}s"
        )

    def _budget(self, schedule: Schedule) -> dict[str, Any]:
        calls, seconds = self.max_calls, self.time_limit
        automatic = isinstance(calls, str) and calls == "auto"
        if automatic and seconds is not None:
            calls = None
        elif automatic:
            sizes, probability = schedule.sizes, float(schedule.probabilities[0])
            share = float(max(1, sizes[0]) / sizes[-1]) if math.isnan(probability) else probability
            calls = math.ceil(REDRAWS / share) if share > 0 else REDRAWS
        if calls is None and seconds is None:
            raise ValueError("Set max_calls, time_limit, or both. Without them, a fit never ends.")
        if calls is not None and (calls := whole_number(calls, "max_calls")) < 1:
            raise ValueError(f"max_calls must be at least 1, got {calls}.")
        if seconds is not None and not (seconds := real_number(seconds, "time_limit")) > 0:
            raise ValueError(f"time_limit must be a positive number of seconds, got {seconds}.")
        return {"calls": calls, "seconds": seconds}

    def _seed(self) -> int:
        """Return the seed of :func:`prviz.run`: ``random_state``, or a number drawn from it."""
        if isinstance(self.random_state, numbers.Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(LARGEST_SEED))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = [*self._preserved]
        tags.input_tags.sparse = self._sparse
        tags.non_deterministic = self.time_limit is not None
        return tags


def validate_data(estimator: PartialSearch, X: Any, **options: Any) -> Any:
    """Return X as scikit-learn's ``validate_data`` does, but reject masked or huge entries."""
    reject_masked(X, "X")
    X = validation.validate_data(estimator, X, **options)
    if (np.abs(X.data if issparse(X) else X) > np.float64(LARGEST)).any():
        raise ValueError(f"X has entries above {LARGEST:g} in absolute value: rescale the data.")
    return X


def checked_array(estimator: PartialSearch, X: Any, **options: Any) -> np.ndarray:
    """Return X as an array of floats, or raise an error; see ``validate_data`` for options."""
    options.setdefault("accept_sparse", "csr" if estimator._sparse else False)
    X = validate_data(estimator, X, dtype=FLOATS, order="C", **options)
    return X.toarray() if issparse(X) else X


def check_weights(sample_weight: Any, *sizes: int) -> np.ndarray:
    """Return weights, or raise a ValueError; ``sizes`` are the allowed numbers of weights.

    By default, there are ``sizes[0]`` weights of 1.
    """
    if sample_weight is None:
        return np.ones(sizes[0])
    try:
        weights = np.asarray(sample_weight, np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight must be one number per sample.") from None
    shapes = [(n,) for n in dict.fromkeys(sizes)]
    if weights.shape not in shapes:
        wanted = " or ".join(map(str, shapes))
        raise ValueError(f"sample_weight must have the shape {wanted}, got {weights.shape}.")
    reject_masked(sample_weight, "sample_weight")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must be finite and not negative.")
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise ValueError("The sum of sample_weight is infinite: use smaller weights.")
    if not weights.any():
        raise ValueError(
            "sample_weight is zero for all samples. At least one weight must be positive."
        )
    return weights
