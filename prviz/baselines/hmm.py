"""Contender for hidden Markov models: restarts of Baum–Welch by hmmlearn."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ..engine.schedule import Level, Schedule
from ..problems.hmm.baum_welch import HMM
from ..problems.hmm.plain import PlainHMM
from .calls import Baseline, Caller
from .peers import alone, needed
from .searching import SearchCaller


@dataclasses.dataclass(frozen=True)
class HMMLearn(Baseline):
    """Restarts of Baum–Welch by ``hmmlearn``, from the same starts as full restarts.

    An iteration is one of Baum–Welch, with the problem's tolerance. hmmlearn checks the gain after
    one more M-step, so its costs are slightly lower.
    """

    problems = (HMM, PlainHMM)
    made_by = "prviz.hmm"

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _BaumWelch(problem, rng)


class _BaumWelch(SearchCaller):
    around = staticmethod(alone)
    held: None = None  # a restart needs only the generator

    def __init__(self, problem: Any, rng: np.random.Generator):
        N = problem.n_states
        super().__init__(problem, Schedule.from_levels([Level(N)], N), rng, None)
        self.model = needed("hmmlearn.hmm", "HMMLearn").CategoricalHMM(
            N,
            n_features=problem.n_symbols,
            implementation="scaling",
            init_params="",
            tol=problem.tolerance,
            n_iter=problem.max_iterations,
        )

    def call(self) -> tuple[Any, int]:
        self.redraw(1)
        model, x = self.model, self.x
        model.transmat_, model.emissionprob_, model.startprob_ = (
            matrix.copy() for matrix in (x.transition, x.emission, x.start)
        )
        model.fit(self.problem.sequence[:, None], getattr(self.problem, "lengths", None))
        return model, model.monitor_.iter

    def cost(self, found: Any) -> float:
        self.x.transition[:] = found.transmat_
        self.x.emission[:] = found.emissionprob_
        self.x.start[:] = found.startprob_
        self.iterate(0)
        return float(self.costs[0])
