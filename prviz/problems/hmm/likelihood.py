"""Compute ln P(sequence | model) by a forward pass over all nonzero entries of a model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.dispatch import borrowing
from ...engine.simd.functions import ln
from ...engine.simd.simd8 import WIDTH, load, mask, spread

#: Products of probabilities below this are turned into logarithms.
SMALL = 1e-200


class ForwardPass(NamedTuple):
    """Working space of a forward pass. Between passes, ``flow`` is zero.

    Attributes
    ----------
    row_first : (N + 1,) int64
        Start of each state's successors.
    successor, probability : (N N,) uint32, float64
        Positive entries of A, row by row.
    reached : (2, N) int64
        States reached at this step and at the previous step, in alternating rows.
    flow : (2, N) float64
        Forward variables of these states; zero for all others.
    """

    row_first: np.ndarray
    successor: np.ndarray
    probability: np.ndarray
    reached: np.ndarray
    flow: np.ndarray


def empty_forward_pass(N: int) -> ForwardPass:
    """Return working space for a model of N states."""
    return ForwardPass(
        row_first=np.zeros(N + 1, np.int64),
        successor=np.zeros(N * N, np.uint32),  # unsigned: no check for negative indices
        probability=np.zeros(N * N),
        reached=np.zeros((2, N), np.int64),
        flow=np.zeros((2, N)),
    )


@borrowing
def _any_positive(row, begin) -> bool:
    """Return True if any of eight entries is positive."""
    return mask(spread(0.0), load(row, begin)) != 0


@borrowing
def list_successors(w) -> None:
    """List the positive entries of A, row by row."""
    N = len(w.transition)
    found = 0
    for i in range(N):
        row = w.transition[i]
        w.row_first[i] = found
        for begin in range(0, N, WIDTH):
            end = begin + WIDTH
            if end <= N and not _any_positive(row, begin):
                continue
            for j in range(begin, min(end, N)):
                if row[j] > 0.0:
                    w.successor[found] = j
                    w.probability[found] = row[j]
                    found += 1
    w.row_first[N] = found


@borrowing
def log_likelihood(w, sequence, begins, weights) -> float:
    """Return the weighted sum of ln P(string | model); −∞ if the model cannot emit a string.

    ``begins`` (T + 1,) is 1 at the first step of each string and at T, otherwise 0. ``weights`` has
    one number per string.
    """
    list_successors(w)
    result, product, n = 0.0, 1.0, 0
    weight, string = weights[0], 0
    for t in range(len(sequence)):
        now, reached = w.flow[t % 2], w.reached[t % 2]
        if begins[t]:
            if weights[string] != weight:
                result += weight * ln(product)
                product, weight = 1.0, weights[string]
            string += 1
            for k in range(n):  # clear the values of the previous string
                w.flow[1 - t % 2, w.reached[1 - t % 2, k]] = 0.0
            n = len(w.start)
            for i in range(n):
                now[i], reached[i] = w.start[i], i
        else:
            n = _move(w, w.flow[1 - t % 2], w.reached[1 - t % 2], n, now, reached)
        total, possible = 0.0, 0
        for k in range(n):
            j = reached[k]
            now[j] *= w.emission[j, sequence[t]]
            if now[j] > 0.0:
                total += now[j]
                reached[possible] = j
                possible += 1
        n = possible
        if n == 0:
            return -np.inf
        for k in range(n):
            now[reached[k]] /= total
        product *= total
        if product < SMALL:  # compute a logarithm only when the product gets small
            result += weight * ln(product)
            product = 1.0
    for k in range(n):
        w.flow[(len(sequence) - 1) % 2, w.reached[(len(sequence) - 1) % 2, k]] = 0.0
    return result + weight * ln(product)


@borrowing
def _move(w, before, reached_before, n, now, reached) -> int:
    """Follow all transitions for one step, and clear ``before``; return how many states follow."""
    m = 0
    for k in range(n):
        i = reached_before[k]
        share = before[i]
        before[i] = 0.0
        for e in range(w.row_first[i], w.row_first[i + 1]):
            j, flow = w.successor[e], share * w.probability[e]
            if flow > 0.0:  # the product may underflow
                if now[j] == 0.0:
                    reached[m] = j
                    m += 1
                now[j] += flow
    return m
