"""Single-spin-flip descent with local fields kept up to date, and reverts that cost what changed.

Of every spin its *gain* is kept, s_i (h_i + Σ_j J_ij s_j): half of what turning it over adds to the
energy. To turn over spin i costs a step for each of its neighbours. Spins of negative gain are
*unstable*: a set of bits, 32 a word, and how many there are, so that neither the next of them nor
the end of a descent is looked for among all spins.

All couplings are multiples of one power of two (``problem.py``), so that no sum is ever rounded:
a gain is the same whatever turned over before.

The numbers of spins that turn over are written into a search's *journal*. A checkpoint knows how
long the journal was when it was taken, so that taking it again writes only the spins that are named
since, and going back to it turns only those over that differ. Its own gains are not kept; where a
checkpoint becomes a search by itself, ``settle`` computes them.
"""

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import overload

from ...engine import kernels
from ...engine.dispatch import OPTIONS, borrowing, inlined

BITS = 32  # a word of 64, so that shifts never meet the sign
#: Of so few neighbours many change sides, and a branch would be a guess; of more hardly any.
FEW = 8


def lowest_bit(word) -> int:
    """The place of the lowest bit that is set; at least one is."""
    return (int(word) & -int(word)).bit_length() - 1


@overload(lowest_bit, jit_options=OPTIONS)
def _lowest_bit(word):
    if isinstance(word, types.Integer):
        return lambda word: trailing_zeros(word)
    return None


@inlined
def flip(problem, state, i) -> None:
    """Turn spin i over, and bring up to date what follows from it."""
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
    """The first unstable spin from spin i on, round the end; there is one."""
    words = len(unstable) - 1
    w = i // BITS
    word = unstable[w] & (-1 << (i % BITS))
    while word == 0:
        w = w + 1 if w + 1 < words else 0
        word = unstable[w]
    return w * BITS + lowest_bit(word)


@borrowing
def settle(problem, state) -> None:
    """Compute gains, unstable spins and the energy from the spins alone."""
    spins, gains, unstable = state.spins, state.gains, state.unstable
    for w in range(len(unstable)):
        unstable[w] = 0
    energy = 0.0
    for i in range(len(spins)):
        local = 0.0
        for e in range(problem.starts[i], problem.starts[i + 1]):
            local += problem.doubled[e] * np.float64(spins[problem.neighbours[e]])
        local *= 0.5
        energy -= np.float64(spins[i]) * (0.5 * local + problem.fields[i])
        gains[i] = np.float64(spins[i]) * (local + problem.fields[i])
        if gains[i] < 0.0:
            unstable[i // BITS] |= 1 << (i % BITS)
            unstable[len(unstable) - 1] += 1
    state.energy[0] = energy + problem.offset
    state.settled[0] = 1


@borrowing
def redraw(problem, state, chosen, rng) -> None:
    """Draw the spins in ``chosen`` afresh: up or down, with equal chances."""
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
    """Turn over the next unstable spin; True if there was one. The state must be settled."""
    unstable = state.unstable
    if unstable[len(unstable) - 1] == 0:
        return False
    i = next_unstable(unstable, state.cursor[0])
    flip(problem, state, i)
    state.cursor[0] = i + 1 if i + 1 < len(state.spins) else 0
    return True


@borrowing
def descend(problem, state, stop):
    """Turn over unstable spins until there are none: ``(energy, iterations)``."""
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
    """Make ``target`` what ``source`` holds: a checkpoint of a search what it is now, or back.

    To go back changes the search, and is written down for its other checkpoints.
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
    target.journal[n] = source.journal[n] = journal[n]  # the same, until more is written down


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
