"""What all estimators share: how to search, from which seed, and for how long."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..checks import real_number, whole_number
from ..engine.schedule import Level
from ..engine.settings import make_schedule
from ..search.run import Run, run, run_from

FLOATS = (np.float64, np.float32)
LARGEST_SEED = 2**31 - 1
#: How often each variable is redrawn, on average, where ``max_calls`` is "auto".
REDRAWS = 20


class PartialSearch:
    """A mixin of estimators that search by :func:`prviz.run`.

    They have the parameters ``k1``, ``m1``, ``alpha``, ``subset``, ``levels``, ``max_calls``,
    ``time_limit`` and ``random_state``, of which each says where it differs.
    """

    def _search(self, problem: Any, first: Any = None, **more: Any) -> Run:
        """Search the problem as the parameters say, and note how much that took.

        ``first`` has the fields of a configuration at which the first call begins. A fit that is
        interrupted by Ctrl-C is, as elsewhere in scikit-learn, none.
        """
        how = {"k1": self.k1, "m1": self.m1, "alpha": self.alpha, "subset": self.subset, **more}
        if self.levels is not None:
            how = {"levels": self.levels}
        schedule = make_schedule(problem, **how)
        levels, seed = schedule.levels(), self._seed()
        if first is None:
            found = run(problem, levels=levels, seed=seed, **self._budget(levels))
        else:
            found = run_from(problem, first, schedule, seed, **self._budget(levels))
        if found.interrupted:
            raise KeyboardInterrupt
        if not found.calls:
            raise FloatingPointError(f"The search found nothing: {found.failure}.")
        self.n_calls_ = found.calls
        self.n_iter_ = int(found.trace.iterations.sum())
        return found

    def _budget(self, levels: list[Level]) -> dict[str, Any]:
        calls, seconds = self.max_calls, self.time_limit
        automatic = isinstance(calls, str) and calls == "auto"
        if automatic and seconds is not None:
            calls = None
        elif automatic:
            lowest, N = levels[0], levels[-1].size
            share = lowest.size / N if lowest.probability is None else lowest.probability
            calls = math.ceil(REDRAWS / share) if share > 0 else REDRAWS
        if calls is None and seconds is None:
            raise ValueError("Give max_calls, time_limit, or both: else a fit has no end.")
        if calls is not None and (calls := whole_number(calls, "max_calls")) < 1:
            raise ValueError(f"max_calls must be at least 1, not {calls}.")
        if seconds is not None and not (seconds := real_number(seconds, "time_limit")) > 0:
            raise ValueError(f"time_limit must be a positive number of seconds, not {seconds}.")
        return {"calls": calls, "seconds": seconds}

    def _seed(self) -> int:
        """Return the seed of :func:`prviz.run`: ``random_state``, or a number drawn from it."""
        if isinstance(self.random_state, numbers.Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(LARGEST_SEED))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self.time_limit is not None
        return tags
