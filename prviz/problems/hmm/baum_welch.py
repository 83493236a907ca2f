"""Sparse Baum–Welch: the same fit as plain Baum–Welch, many times faster.

An iteration is an E-step and an M-step. The last iteration has no M-step, so the log-likelihood
belongs to the returned parameters. The first iterations of a fit use ``early.py``. Later iterations
use ``trellis.py``, which drops paths of negligible posterior probability. Dropping paths of
posterior probability m lowers the log-likelihood by at most −ln(1 − m). Baum–Welch on the rest
still increases the log-likelihood. After convergence, a forward pass over all nonzero entries gives
the log-likelihood. If important paths were dropped, the fit continues.
"""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from ...engine import kernels
from ...engine.dispatch import borrowing, copy_arrays
from . import early, trellis
from .likelihood import ForwardPass, empty_forward_pass, log_likelihood
from .sorted_model import SortedModel, empty_model, open_model, unsort
from .states.stochastic import fault_of_model, redraw_states
from .states.subsets import SUBSETS, choose
from .trellis import NODES_A_STEP, Trellis, compact, empty_trellis, open_trellis

#: Tolerated difference between the log-likelihoods of all paths and of the kept paths.
AGREED = 1e-9

#: Phases of a fit.
CLOSED, EARLY, LATE = 0, 1, 2
#: Fields of ``HMMState.fit``.
PHASE, ROUNDS, WRITTEN = 0, 1, 2
#: Fields of ``HMMState.progress``.
LIKELIHOOD, ITERATIONS = 0, 1


class HMM(NamedTuple):
    """A hidden Markov model to be trained on strings. Each of N hidden states is a variable.

    Attributes
    ----------
    sequence : (T,) int64
        Symbols, numbered from 0, one string after the other.
    n_states, n_symbols : int
        N and K.
    tolerance : float
        A fit ends at the first iteration that gains less log-likelihood than this.
    max_iterations : int
        A fit also ends after this many iterations.
    occurrences : (T,) int64
        The time steps, sorted by symbol.
    occurrence_first : (K + 1,) int64
        Index in ``occurrences`` at which each symbol's steps begin.
    lengths : (s,) int64
        Length of each string; the sum is T.
    begins : (T + 1,) int64
        1 at the first step of each string, and at T; otherwise 0.
    weights : (s,) float64
        Weight of each string in the log-likelihood and in expected counts.
    """

    sequence: np.ndarray
    n_states: int
    n_symbols: int
    tolerance: float
    max_iterations: int
    occurrences: np.ndarray
    occurrence_first: np.ndarray
    lengths: np.ndarray
    begins: np.ndarray
    weights: np.ndarray


_MODEL = ("transition", "emission", "start")
_WORKSPACE = ("fit", *SortedModel._fields, *Trellis._fields, *ForwardPass._fields)

HMMState = namedtuple("HMMState", (*_MODEL, "progress", *_WORKSPACE))
HMMState.VARIABLES = _MODEL
HMMState.RENORMALISED = ("transition", "start")
HMMState.CACHES = ("progress",)
HMMState.WORKSPACE = _WORKSPACE
HMMState.fault = fault_of_model
HMMState.__doc__ = """The model, the state of the stopping rule, and working space for a fit.

Attributes
----------
transition : (N, N) float64
    A: row i has the transition probabilities from state i.
emission : (N, K) float64
    B.
start : (N,) float64
    π.
progress : (2,) float64
    Log-likelihood of the last iteration (−∞ before the first), and the number of iterations of an
    unfinished fit, otherwise 0.
fit : (3,) int64
    Working space: the phase of the fit, the number of iterations over the trellis, and 1 if A was
    written back in the middle of the fit.
...
    Working space: the fields of :class:`SortedModel`, :class:`Trellis` and :class:`ForwardPass`.
"""


def make_hmm(
    x: np.ndarray,
    N: int,
    K: int,
    tolerance: float,
    max_iterations: int,
    lengths: np.ndarray,
    weights: np.ndarray,
) -> HMM:
    """Return the problem, with its sequence sorted by symbol."""
    first = np.zeros(K + 1, np.int64)
    first[1:] = np.cumsum(np.bincount(x, minlength=K))
    occurrences = np.argsort(x, kind="stable").astype(np.int64)
    begins = np.zeros(len(x) + 1, np.int64)
    begins[np.concatenate([[0], np.cumsum(lengths)])] = 1
    ends = tolerance, max_iterations
    return HMM(x, N, K, *ends, occurrences, first, lengths, begins, weights)


@kernels.allocate.register
def _allocate(problem: HMM) -> HMMState:
    T, N, K = len(problem.sequence), problem.n_states, problem.n_symbols
    return HMMState(
        np.zeros((N, N)),
        np.zeros((N, K)),
        np.zeros(N),
        np.array([-np.inf, 0.0]),
        np.zeros(3, np.int64),
        *empty_model(T, N, K),
        *empty_trellis(T, N, K),
        *empty_forward_pass(N),
    )


@kernels.n_variables.register
def _n_variables(problem: HMM) -> int:
    return problem.n_states


@kernels.copy_state.register(HMM)
def _copy_state(problem, target, source):
    copy_arrays(target, source)
    target.fit[PHASE] = CLOSED


@kernels.subsets.register
def _subsets(problem: HMM) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register(HMM)
def _select(problem, state, redraw, rng, order):
    return choose(state.transition, redraw, rng, order)


@kernels.reinitialise.register(HMM)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw_states(state.transition, state.emission, state.start, chosen, alpha, rng)
    state.progress[LIKELIHOOD] = -np.inf
    state.progress[ITERATIONS] = 0.0
    state.fit[PHASE] = CLOSED


@kernels.cost.register(HMM)
def _cost(problem, state):
    return -likelihood_of(problem, state)


@kernels.iterate.register(HMM)
def _iterate(problem, state, rng):
    if not step(problem, state):
        if state.fit[PHASE] == LATE and not state.fit[WRITTEN]:
            trellis.copy_matrix(state.opened, state.transition)
            state.fit[WRITTEN] = 1
        write_back(state)
        return False
    return close(problem, state)


@kernels.optimise.register(HMM)
def _optimise(problem, state, rng, stop=None):
    iterations = 0
    while not kernels.asked_to(stop):
        iterations += 1
        if step(problem, state) and close(problem, state):
            return -state.progress[LIKELIHOOD], iterations
    return np.inf, iterations


@borrowing
def settled(state) -> bool:
    """Return True if the model is the result of a finished fit."""
    return state.progress[LIKELIHOOD] > -np.inf and state.progress[ITERATIONS] == 0.0


@borrowing
def step(problem, state) -> bool:
    """Run one iteration of a fit; return True if it has converged on the kept paths."""
    sequence, fit, progress = problem.sequence, state.fit, state.progress
    if fit[PHASE] == CLOSED:
        if settled(state):
            return True
        open_model(state)
        fit[PHASE] = EARLY
    if fit[PHASE] == EARLY:
        likelihood = early.forward(state, sequence, problem.begins, problem.weights)
    else:
        likelihood = trellis.forward(state, problem.begins, problem.weights)
    possible = likelihood > -np.inf
    gain = likelihood - progress[LIKELIHOOD] if possible else -np.inf
    progress[LIKELIHOOD] = likelihood
    progress[ITERATIONS] += 1.0
    if not gain >= problem.tolerance or progress[ITERATIONS] >= problem.max_iterations:
        return True
    if fit[PHASE] == EARLY:
        _improve_sorted(problem, state)
    else:
        trellis.backward(state, problem.begins)
        _improve_trellis(problem, state)
    return False


@borrowing
def _improve_sorted(problem, state) -> None:
    """Finish an iteration over the sorted model; switch to the trellis when few paths are left."""
    T = len(problem.sequence)
    n_visited = early.backward(state, problem.sequence, problem.begins, problem.weights)
    if n_visited <= NODES_A_STEP * T and open_trellis(state, problem.sequence):
        state.fit[PHASE] = LATE
        state.fit[ROUNDS] = state.fit[WRITTEN] = 0
        _improve_trellis(problem, state)
        return
    early.count(state, problem.occurrences, problem.occurrence_first)
    early.maximise(state, problem.lengths)


@borrowing
def _improve_trellis(problem, state) -> None:
    rounds, T = state.fit[ROUNDS], len(problem.sequence)
    if rounds in (1, 2, 4) or (rounds % 8 == 0 and rounds > 0):
        compact(state, T)
    state.fit[ROUNDS] = rounds + 1
    trellis.maximise(state, problem.begins)


@borrowing
def write_back(state) -> None:
    """Update the matrices from an unfinished fit."""
    if state.fit[PHASE] == EARLY:
        unsort(state)
    elif state.fit[PHASE] == LATE:
        if state.fit[WRITTEN]:  # write_back skips rarely visited rows, so restore them
            trellis.copy_matrix(state.transition, state.opened)
        trellis.write_back(state)


@borrowing
def close(problem, state) -> bool:
    """End a converged fit; return False if dropped paths matter and the fit must continue."""
    if settled(state):
        return True
    write_back(state)
    progress = state.progress
    exact = likelihood_of(problem, state)
    state.fit[PHASE] = CLOSED
    within = AGREED * max(1.0, abs(exact))
    agreed = exact == progress[LIKELIHOOD] or abs(exact - progress[LIKELIHOOD]) <= within
    if not agreed and progress[ITERATIONS] < problem.max_iterations:
        return False
    progress[LIKELIHOOD] = exact
    progress[ITERATIONS] = 0.0
    return True


@borrowing
def likelihood_of(problem, state) -> float:
    """Return the weighted log-likelihood of the current matrices."""
    return log_likelihood(state, problem.sequence, problem.begins, problem.weights)
