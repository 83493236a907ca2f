"""Baum–Welch for Gaussian emissions: the kernels of the problem."""

from __future__ import annotations

import numpy as np

from ....engine import kernels
from ....engine.dispatch import borrowing
from ..states.subsets import SUBSETS, choose
from .maximise import maximise
from .model import GaussianHMM, GaussianHMMState, empty_state
from .passes import backward, forward
from .redraw import redraw_states


@kernels.allocate.register
def _allocate(problem: GaussianHMM) -> GaussianHMMState:
    return empty_state(problem)


@kernels.n_variables.register
def _n_variables(problem: GaussianHMM) -> int:
    return problem.n_states


@kernels.subsets.register
def _subsets(problem: GaussianHMM) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register(GaussianHMM)
def _select(problem, state, redraw, rng, order):
    return choose(state.transition, redraw, rng, order)


@kernels.reinitialise.register(GaussianHMM)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw_states(problem, state, chosen, alpha, rng)
    state.progress[0] = -np.inf
    state.progress[1] = 0.0


@kernels.cost.register(GaussianHMM)
def _cost(problem, state):
    return -forward(problem, state)


@kernels.iterate.register(GaussianHMM)
def _iterate(problem, state, rng):
    return step(problem, state)


@kernels.optimise.register(GaussianHMM)
def _optimise(problem, state, rng, stop=None):
    iterations = 0
    while not kernels.asked_to(stop):
        iterations += 1
        if step(problem, state):
            return -state.progress[0], iterations
    return np.inf, iterations


@borrowing
def step(problem, state) -> bool:
    """Run an E-step; return True if the fit has ended, or else run an M-step."""
    log_likelihood, before = forward(problem, state), state.progress[0]
    state.progress[0] = log_likelihood
    state.progress[1] += 1.0
    if log_likelihood == -np.inf or state.progress[1] >= problem.max_iterations:
        return True
    if log_likelihood - before < problem.tolerance:
        return True
    backward(problem, state)
    maximise(problem, state)
    return False
