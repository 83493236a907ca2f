"""Textbook Baum–Welch with scaling (Rabiner 1989), also for large alphabets.

Notation: A, B and π are the transition, emission and start probabilities, and x is the sequence.
α̂ and β̂ are the forward and backward variables, scaled by c_t = P(x_t | x_0 … x_{t−1}). So
γ_t(i) = α̂_t(i) β̂_t(i) is the probability of state i at step t, given the whole sequence.

If there are several strings, each has its own E-step. The expected counts of each string are
multiplied by its weight, and added up (Rabiner, section V.B).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine import kernels
from ...engine.dispatch import driver, helper
from ...engine.simd.functions import ln
from .states.stochastic import fault_of_model, redraw_states
from .states.subsets import SUBSETS, choose


class PlainHMM(NamedTuple):
    """A hidden Markov model trained by plain Baum–Welch. ``HMM`` explains the fields.

    Attributes
    ----------
    sequence : (T,) int64
        Concatenated strings.
    n_states, n_symbols : int
    tolerance : float
    max_iterations : int
    lengths : (s,) int64
        Length of each string; the sum is T.
    weights : (s,) float64
        Weight of each string in the log-likelihood and in expected counts.
    """

    sequence: np.ndarray
    n_states: int
    n_symbols: int
    tolerance: float
    max_iterations: int
    lengths: np.ndarray
    weights: np.ndarray


class PlainHMMState(NamedTuple):
    """The model and the state of the stopping rule.

    Attributes
    ----------
    transition : (N, N) float64
    emission : (N, K) float64
    start : (N,) float64
    progress : (2,) float64
        Log-likelihood of the last iteration (−∞ before the first), and iterations so far.
    """

    VARIABLES = ("transition", "emission", "start")
    RENORMALISED = ("transition", "start")
    CACHES = ("progress",)
    fault = fault_of_model

    transition: np.ndarray
    emission: np.ndarray
    start: np.ndarray
    progress: np.ndarray


@driver
def forward(sequence, transition, emission, start):
    """Compute α̂, c and the log-likelihood Σ_t ln c_t; −∞ if the model cannot emit the sequence."""
    T, N = len(sequence), len(start)
    alpha = np.zeros((T, N))
    scale = np.zeros(T)
    log_likelihood = 0.0
    for t in range(T):
        for j in range(N):
            if t == 0:
                reached = start[j]
            else:
                reached = 0.0
                for i in range(N):
                    reached += alpha[t - 1, i] * transition[i, j]
            alpha[t, j] = reached * emission[j, sequence[t]]
            scale[t] += alpha[t, j]
        if scale[t] == 0.0:
            return alpha, scale, -np.inf
        for j in range(N):
            alpha[t, j] /= scale[t]
        log_likelihood += ln(scale[t])
    return alpha, scale, log_likelihood


@driver
def backward(sequence, transition, emission, scale):
    """Compute β̂, scaled by the c of :func:`forward`."""
    T, N = len(sequence), len(transition)
    beta = np.ones((T, N))
    for t in range(T - 2, -1, -1):
        for i in range(N):
            beta[t, i] = 0.0
            for j in range(N):
                beta[t, i] += (
                    transition[i, j] * emission[j, sequence[t + 1]] * beta[t + 1, j] / scale[t + 1]
                )
    return beta


class Expected(NamedTuple):
    """Expected counts of transitions (N, N), emissions (N, K) and starts (N,)."""

    transitions: np.ndarray
    emissions: np.ndarray
    starts: np.ndarray


@helper
def count(sequence, transition, emission, alpha, beta, scale, expected) -> None:
    """Add the expected counts of a string, multiplied by the weight in ``beta``."""
    T, N = alpha.shape
    for t in range(T):
        for i in range(N):
            expected.emissions[i, sequence[t]] += alpha[t, i] * beta[t, i]
            for j in range(N if t + 1 < T else 0):
                expected.transitions[i, j] += (
                    alpha[t, i]
                    * transition[i, j]
                    * emission[j, sequence[t + 1]]
                    * beta[t + 1, j]
                    / scale[t + 1]
                )
    for i in range(N):
        expected.starts[i] += alpha[0, i] * beta[0, i]


@helper
def maximise(expected, transition, emission, start) -> None:
    """M-step: turn expected counts into probabilities; rows never visited do not change."""
    for i in range(len(start)):
        normalise(expected.transitions[i], transition[i])
        normalise(expected.emissions[i], emission[i])
    normalise(expected.starts, start)


@helper
def normalise(counts, row) -> None:
    """Set row ← counts divided by their sum, unless the sum is 0."""
    total = counts.sum()
    if total > 0.0:
        row[:] = counts / total


@kernels.allocate.register
def _allocate(problem: PlainHMM) -> PlainHMMState:
    N = problem.n_states
    return PlainHMMState(
        np.zeros((N, N)), np.zeros((N, problem.n_symbols)), np.zeros(N), np.array([-np.inf, 0.0])
    )


@kernels.n_variables.register
def _n_variables(problem: PlainHMM) -> int:
    return problem.n_states


@kernels.cost.register(PlainHMM)
def _cost(problem, state):
    log_likelihood, begin = 0.0, 0
    for k in range(len(problem.lengths)):
        end = begin + problem.lengths[k]
        ahead = forward(problem.sequence[begin:end], state.transition, state.emission, state.start)
        log_likelihood += problem.weights[k] * ahead[2]
        begin = end
    return -log_likelihood


@kernels.subsets.register
def _subsets(problem: PlainHMM) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register(PlainHMM)
def _select(problem, state, redraw, rng, order):
    return choose(state.transition, redraw, rng, order)


@kernels.reinitialise.register(PlainHMM)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw_states(state.transition, state.emission, state.start, chosen, alpha, rng)
    state.progress[0] = -np.inf
    state.progress[1] = 0.0


@kernels.iterate.register(PlainHMM)
def _iterate(problem, state, rng):
    """Run one E-step, and one M-step unless the E-step shows convergence."""
    transition, emission, start = state.transition, state.emission, state.start
    T, N = len(problem.sequence), len(start)
    alpha, scale = np.zeros((T, N)), np.zeros(T)
    log_likelihood, begin = 0.0, 0
    for k in range(len(problem.lengths)):
        end = begin + problem.lengths[k]
        ahead = forward(problem.sequence[begin:end], transition, emission, start)
        alpha[begin:end], scale[begin:end] = ahead[0], ahead[1]
        log_likelihood += problem.weights[k] * ahead[2]
        begin = end
    before = state.progress[0]
    state.progress[0] = log_likelihood
    state.progress[1] += 1.0
    if log_likelihood == -np.inf or state.progress[1] >= problem.max_iterations:
        return True
    if log_likelihood - before < problem.tolerance:
        return True
    expected = Expected(np.zeros(transition.shape), np.zeros(emission.shape), np.zeros(N))
    begin = 0
    for k in range(len(problem.lengths)):
        end = begin + problem.lengths[k]
        sequence, factors = problem.sequence[begin:end], scale[begin:end]
        beta = problem.weights[k] * backward(sequence, transition, emission, factors)
        count(sequence, transition, emission, alpha[begin:end], beta, factors, expected)
        begin = end
    maximise(expected, transition, emission, start)
    return False
