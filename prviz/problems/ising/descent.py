"""Single-spin-flip descent with incremental local fields and cheap reverts.

Each spin has a *gain*, s_i (h_i + Σ_j J_ij s_j): half of the energy that flipping it adds. A flip
updates only the gains of the spin and its neighbours. Spins of negative gain are *unstable*. A bit
set stores and counts them, so a descent finds the next unstable spin without a scan of all spins.

All couplings are multiples of one power of two (``problem.py``), so sums are exact: a gain does not
depend on the order of earlier flips.

A search writes the index of each flipped spin to its *journal*. A checkpoint stores the length of
the journal. So updating the checkpoint copies only the spins in later entries, and reverting flips
only spins that differ. The gains of a checkpoint are not up to date. If a search continues from the
checkpoint, ``settle`` computes them.
"""

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import overload

from ...engine import kernels
from ...engine.dispatch import OPTIONS, borrowing, inlined

BITS = 32  # number of bits used in each 64-bit word, so that shifts never reach the sign bit
#: Up to this many neighbours are updated without branches, which would often be mispredicted.
FEW = 8


def lowest_bit(word) -> int:
    """Return the position of the lowest set bit. The word must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


@overload(lowest_bit, jit_options=OPTIONS)
def _lowest_bit(word):
    if isinstance(word, types.Integer):
        return lambda word: trailing_zeros(word)
    return None


@inlined
def flip(problem, state, i) -> None:
    """Flip spin i, and update everything that depends on it."""
    spins, gains, unstable = state.spins, state.gains, state.unstable
    neighbours, doubled = problem.neighbours, problem.doubled
    n, before, more = len(spins), gains[i], 0
    state.energy[0] += 2.0 * before
    gains[i] = -before
    if before != 0.0:
        unstable[i // BITS] ^= 1 << (i % BITS)
        more = 1 if before > 0.0 else -1
    was = np.float64(spins[i])
    spins[i] = -spins[i]
    first, last = problem.starts[i], problem.starts[i + 1]
    for e in range(first, last):
        j = neighbours[e]
        before = gains[j]
        now = before - doubled[e] * (was * spins[j])
        gains[j] = now
        if last - first > FEW:
            if (before < 0.0) != (now < 0.0):
                unstable[j // BITS] ^= 1 << (j % BITS)
                more += 1 if now < 0.0 else -1
        else:
            change = np.int64(now < 0.0) - np.int64(before < 0.0)
            unstable[j // BITS] ^= (change & 1) << (j % BITS)
            more += change
    unstable[len(unstable) - 1] += more
    state.journal[state.journal[n] % n] = i
    state.journal[n] += 1


@inlined
def next_unstable(unstable, i) -> int:
    """Return the first unstable spin from spin i on, cyclically. There must be an unstable spin."""
    words = len(unstable) - 1
    w = i // BITS
    word = unstable[w] & (-1 << (i % BITS))
    while word == 0:
        w = w + 1 if w + 1 < words else 0
        word = unstable[w]
    return w * BITS + lowest_bit(word)


@inlined
def mark_unstable(gains, unstable) -> None:
    """Set the bits of all spins of negative gain, and count them."""
    words, many = len(unstable) - 1, 0
    for w in range(words):
        word = 0
        for i in range(w * BITS, min((w + 1) * BITS, len(gains))):
            negative = np.int64(gains[i] < 0.0)
            word |= negative << (i % BITS)
            many += negative
        unstable[w] = word
    unstable[words] = many


@borrowing
def settle(problem, state) -> None:
    """Compute gains, unstable spins and the energy from the spins."""
    spins, gains = state.spins, state.gains
    energy = 0.0
    for i in range(len(spins)):
        local = 0.0
        for e in range(problem.starts[i], problem.starts[i + 1]):
            local += problem.doubled[e] * np.float64(spins[problem.neighbours[e]])
        local *= 0.5
        energy -= np.float64(spins[i]) * (0.5 * local + problem.fields[i])
        gains[i] = np.float64(spins[i]) * (local + problem.fields[i])
    mark_unstable(gains, state.unstable)
    state.energy[0] = energy + problem.offset
    state.settled[0] = 1


@borrowing
def redraw(problem, state, chosen, rng) -> None:
    """Redraw the spins in ``chosen``: up or down with equal probability."""
    spins, full = state.spins, len(chosen) == len(state.spins)
    if not full and state.settled[0] == 0:
        settle(problem, state)
    left, bits = 0, 0
    for i in chosen:
        if left == 0:  # a double has 53 random bits
            left, bits = 53, np.int64(rng.random() * 9007199254740992.0)
        side = 1 if bits & 1 else -1
        bits >>= 1
        left -= 1
        if full:
            spins[i] = side
        elif spins[i] != side:
            flip(problem, state, i)
    if full:
        state.journal[len(spins)] += len(spins) + 1  # every spin may differ
        settle(problem, state)
    if len(chosen) > 0:
        state.cursor[0] = chosen[0]


@inlined
def improve(problem, state) -> bool:
    """Flip the next unstable spin; return True if there was one. The state must be settled."""
    unstable = state.unstable
    if unstable[len(unstable) - 1] == 0:
        return False
    i = next_unstable(unstable, state.cursor[0])
    flip(problem, state, i)
    state.cursor[0] = i + 1 if i + 1 < len(state.spins) else 0
    return True


@borrowing
def descend(problem, state, stop):
    """Flip unstable spins until there are none; return ``(energy, iterations)``."""
    if state.settled[0] == 0:
        settle(problem, state)
    iterations = 1
    while improve(problem, state) and iterations < kernels.MOST_ITERATIONS:
        iterations += 1
        if kernels.asked_to(stop):
            return np.inf, iterations
    return state.energy[0], iterations


@borrowing
def copy_changed(problem, target, source) -> None:
    """Make ``target`` equal to ``source``: take a checkpoint of a search, or revert to it.

    A revert also adds spins to the journal, because they change relative to other checkpoints.
    """
    n = len(source.spins)
    back = target.journal[n] > source.journal[n]
    journal = target.journal if back else source.journal
    since, now = min(target.journal[n], source.journal[n]), journal[n]
    if since == 0 or now - since > n:
        _copy_all(problem, target, source)
        journal[n] += n + 1
    elif back:
        for t in range(since, now):
            i = journal[t % n]
            if target.spins[i] != source.spins[i]:
                flip(problem, target, i)
    else:
        for t in range(since, now):
            i = journal[t % n]
            target.spins[i] = source.spins[i]
        target.settled[0] = 0
    target.energy[0] = source.energy[0]
    target.cursor[0] = source.cursor[0]
    target.journal[n] = source.journal[n] = journal[n]  # both states are equal now


@borrowing
def _copy_all(problem, target, source) -> None:
    for i in range(len(source.spins)):
        target.spins[i] = source.spins[i]
        target.gains[i] = source.gains[i]
    for w in range(len(source.unstable)):
        target.unstable[w] = source.unstable[w]
    target.settled[0] = source.settled[0]
    if source.settled[0] == 0:
        settle(problem, target)
