"""Contender for hidden Markov models: restarts of Baum–Welch by hmmlearn."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ..engine.schedule import Level, Schedule
from ..problems.hmm.baum_welch import HMM
from ..problems.hmm.gaussian.model import GaussianHMM
from ..problems.hmm.plain import PlainHMM
from .calls import Baseline, Caller
from .peers import alone, needed
from .searching import SearchCaller


@dataclasses.dataclass(frozen=True)
class HMMLearn(Baseline):
    """Restarts of Baum–Welch by ``hmmlearn``, from the same initial models as prviz's restarts.

    An iteration is an iteration of Baum–Welch, which uses the problem's tolerance. hmmlearn checks
    the gain after one more M-step than prviz, so its costs are slightly lower.
    """

    problems = (HMM, PlainHMM, GaussianHMM)
    made_by = "prviz.hmm"

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        kind = _GaussianBaumWelch if isinstance(problem, GaussianHMM) else _BaumWelch
        return kind(problem, rng)


class _BaumWelch(SearchCaller):
    around = staticmethod(alone)
    held: None = None  # restarts have no state except the generator's

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


class _GaussianBaumWelch(SearchCaller):
    """Restarts of hmmlearn's Gaussian model. Its covariance prior acts like ``problem.floor``."""

    around = staticmethod(alone)
    held: None = None

    def __init__(self, problem: GaussianHMM, rng: np.random.Generator):
        N = problem.n_states
        if problem.n_mix > 1:
            raise ValueError(f"HMMLearn takes one component per state, got n_mix={problem.n_mix}.")
        super().__init__(problem, Schedule.from_levels([Level(N)], N), rng, None)
        full = problem.covariance_rows > 1
        self.model = needed("hmmlearn.hmm", "HMMLearn").GaussianHMM(
            N,
            "full" if full else "diag",
            implementation="scaling",
            init_params="",
            tol=problem.tolerance,
            n_iter=problem.max_iterations,
            covars_prior=np.diag(problem.floor) if full else problem.floor,
            covars_weight=1,
        )
        self.model.n_features = problem.series.shape[1]

    def call(self) -> tuple[Any, int]:
        self.redraw(1)
        model, x = self.model, self.x
        model.transmat_, model.startprob_ = x.transition.copy(), x.start.copy()
        model.means_ = x.means.copy()
        model.covars_ = x.covars if self.problem.covariance_rows > 1 else x.covars[:, 0]
        model.fit(self.problem.series, self.problem.lengths)
        return model, model.monitor_.iter

    def cost(self, found: Any) -> float:
        self.x.transition[:], self.x.start[:] = found.transmat_, found.startprob_
        self.x.means[:] = found.means_
        if self.problem.covariance_rows > 1:
            self.x.covars[:] = found.covars_
        else:
            self.x.covars[:, 0] = np.diagonal(found.covars_, axis1=1, axis2=2)
        self.iterate(0)
        return float(self.costs[0])
