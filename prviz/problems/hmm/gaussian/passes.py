"""The E-step: forward and backward passes with scaling, eight states at a time.

The notation is that of ``../plain.py``. Densities are divided by each observation's largest
density, so an observation far from all means does not have density 0 in every state. If the states
with large densities cannot be reached, the step is computed from logarithms.
"""

from __future__ import annotations

import numpy as np

from ....engine.dispatch import borrowing
from ....engine.simd.functions import exponential, ln
from ....engine.simd.simd8 import WIDTH, each, kept, less, load, spread, store, total
from .density import densities, log_densities, prepare

#: A step whose probability is smaller than this is computed from logarithms.
UNLIKELY = 1e-200
#: Products of probabilities below this are turned into logarithms.
SMALL = 1e-100
#: Forward variables up to this value are treated as zero, so that backward variables stay finite.
DEAD = 1e-290


@borrowing
def forward(problem, state) -> float:
    """Compute α̂ of all steps; return the weighted log-likelihood."""
    prepare(problem, state)
    densities(problem, state)
    N, W = len(state.start), len(state.reached)
    log_likelihood, product, weight, begin = 0.0, 1.0, problem.weights[0], 0
    for k in range(len(problem.lengths)):
        end = begin + problem.lengths[k]
        if problem.weights[k] != weight:
            log_likelihood += weight * ln(product)
            product, weight = 1.0, problem.weights[k]
        for t in range(begin, end):
            now, density = state.ahead[t], state.density[t]
            sums = spread(0.0)
            for q in range(0, W, WIDTH):
                if t == begin:
                    reached = load(state.starts, q)
                else:
                    before = state.ahead[t - 1]
                    reached, odd = spread(0.0), spread(0.0)
                    for i in range(0, N - 1, 2):
                        reached = reached + each(before, i) * load(state.rows[i], q)
                        odd = odd + each(before, i + 1) * load(state.rows[i + 1], q)
                    if N % 2:
                        reached = reached + each(before, N - 1) * load(state.rows[N - 1], q)
                    reached = reached + odd
                store(state.reached, q, reached)
                joint = reached * load(density, q)
                store(now, q, joint)
                sums = sums + joint
            probability = total(sums)
            if not probability >= UNLIKELY:
                if not _from_logarithms(problem, state, t):
                    return -np.inf
                probability = 1.0
            factor = state.scale[t] = 1.0 / probability
            for q in range(0, W, WIDTH):
                scaled = load(now, q) * factor
                store(now, q, scaled * less(DEAD, scaled))
            log_likelihood += weight * state.shift[t]
            product *= probability
            if product < SMALL:  # compute a logarithm only when the product gets small
                log_likelihood += weight * ln(product)
                product = 1.0
        begin = end
    return log_likelihood + weight * ln(product)


@borrowing
def _from_logarithms(problem, state, t) -> bool:
    """Compute an unlikely step; return False if it is impossible."""
    log_densities(problem, state, t)
    N, now, density = len(state.start), state.ahead[t], state.density[t]
    best = -np.inf
    for j in range(N):
        if state.reached[j] > DEAD:
            best = max(best, ln(state.reached[j]) + density[j])
    if not best > -np.inf:
        return False
    sums = 0.0
    for j in range(len(now)):
        now[j] = 0.0
        if j < N and state.reached[j] > DEAD:
            now[j] = exponential(ln(state.reached[j]) + density[j] - best)
        sums += now[j]
    for j in range(len(now)):
        now[j] /= sums
        density[j] = now[j] / state.reached[j] if now[j] > 0.0 else 0.0
    state.shift[t] = best + ln(sums)
    return True


@borrowing
def backward(problem, state) -> None:
    """Turn α̂ into γ; compute expected transitions (divided by A) and starts.

    All of them are multiplied by the weight of their sequence.
    """
    N, W = len(state.start), len(state.reached)
    state.counts[:, :] = 0.0
    state.starts[:] = 0.0
    end = len(problem.series)
    for k in range(len(problem.lengths) - 1, -1, -1):
        begin = end - problem.lengths[k]
        for q in range(0, W, WIDTH):
            store(state.behind, q, spread(problem.weights[k]))
        for t in range(end - 1, begin - 1, -1):
            now = state.ahead[t]
            if t < end - 1:
                for q in range(0, W, WIDTH):
                    flow = load(state.flow, q)
                    for i in range(N):
                        counted = load(state.counts[i], q) + each(now, i) * flow
                        store(state.counts[i], q, counted)
                    behind, odd = spread(0.0), spread(0.0)
                    for j in range(0, N - 1, 2):
                        behind = behind + each(state.flow, j) * load(state.columns[j], q)
                        odd = odd + each(state.flow, j + 1) * load(state.columns[j + 1], q)
                    if N % 2:
                        last = each(state.flow, N - 1) * load(state.columns[N - 1], q)
                        behind = behind + last
                    store(state.behind, q, kept(behind + odd, load(now, q)))
            density, factor = state.density[t], state.scale[t]
            for q in range(0, W, WIDTH):
                behind = load(state.behind, q)
                store(state.flow, q, load(density, q) * behind * factor)
                store(now, q, load(now, q) * behind)
        for q in range(0, W, WIDTH):
            store(state.starts, q, load(state.starts, q) + load(state.ahead[begin], q))
        end = begin
