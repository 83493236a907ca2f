"""Make the frames of a call in a compiled function.

The frames have the same bytes as those of :class:`prviz.player.pictures.film.Film`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..engine.algorithm import checkpoint_and_redraw, keep_or_revert, next_outermost
from ..engine.dispatch import driver, helper, kernel
from ..engine.kernels import cost, iterate
from ..engine.references import by_reference
from ..engine.trace import KEPT as ROW_KEPT
from ..engine.trace import UNDECIDED
from ..player.pictures.film import FIRST_SHOWN
from ..player.pictures.frames import COORDINATES, ITERATE, KEPT, LAST, NEW_BEST, REDRAW, REVERTED

#: Maximum number of frames of a call.
MOST_FRAMES = 256
#: Fields of a frame in order. The channels of a problem follow.
CALL, SUB, ITERATION, EVENT, LEVEL, LINE, FLAGS, COST, BEST, ITERATIONS, SECONDS = range(11)
CHECKPOINTS, COUNTERS, CHOSEN, CHANNELS = range(11, 15)


@by_reference
class Reel(NamedTuple):
    """Space for the frames of a call.

    Attributes
    ----------
    frames : (MOST_FRAMES, frame_bytes) uint8
    offsets : (fields,) int64
        Offsets of a frame's fields.
    """

    frames: np.ndarray
    offsets: np.ndarray


@by_reference
class Known(NamedTuple):
    """Values of the trace for a call and the previous call.

    Attributes
    ----------
    best, seconds : (2,) float64
        Values after the previous call and after this call.
    new_best : (1,) uint8
        1 if the call found a new best.
    """

    best: np.ndarray
    seconds: np.ndarray
    new_best: np.ndarray


@kernel
def draw(problem: Any, state: Any, picture: Any, frame: Any, at: Any) -> None:
    """Fill the channels of a frame. Channel i begins at byte ``at[i]``."""
    raise TypeError("This problem has no draw kernel.")


@helper
def put_whole(frame, at, n_bytes, number):
    """Write an integer to a frame, lowest byte first."""
    for i in range(n_bytes):
        frame[at + i] = np.uint8((number >> (8 * i)) & 255)


@helper
def coordinate(unit):
    """Clip a number to 0 … 1; return it as a 16-bit integer."""
    return int(np.rint(min(max(unit, 0.0), 1.0) * COORDINATES))


@helper
def put_real(frame, at, number):
    """Write a real number to a frame."""
    frame[at : at + 8].view(np.float64)[0] = number


@helper
def is_shown(iteration):
    """Return True if an iteration before the last one gets a frame."""
    spacing = 1
    while iteration > FIRST_SHOWN * spacing:
        spacing *= 2
    return iteration % spacing == 0


@helper
def put_frame(problem, search, picture, reel, n, call, event, level, iteration, numbers, size):
    """Write frame ``n``. ``numbers`` are its cost, best cost, iterations and seconds."""
    frame, at = reel.frames[n], reel.offsets
    for i in range(len(frame)):
        frame[i] = 0
    put_whole(frame, at[CALL], 4, call)
    put_whole(frame, at[SUB], 2, n)
    put_whole(frame, at[ITERATION], 4, iteration)
    frame[at[EVENT]] = event
    frame[at[LEVEL]] = level
    frame[at[LINE]] = 2 if event == ITERATE else 4 if event == REDRAW else 6
    put_real(frame, at[COST], numbers[0])
    put_real(frame, at[BEST], numbers[1])
    put_real(frame, at[ITERATIONS], numbers[2])
    put_real(frame, at[SECONDS], numbers[3])
    for i in range(1, len(search.costs)):
        put_real(frame, at[CHECKPOINTS] + 8 * (i - 1), search.costs[i])
        put_whole(frame, at[COUNTERS] + 4 * (i - 1), 4, search.counters[i])
    for i in range(size):
        variable = search.order[i]
        frame[at[CHOSEN] + (variable >> 3)] |= np.uint8(1 << (variable & 7))
    draw(problem, search.state, picture, frame, at[CHANNELS:])


@driver
def film(problem, schedule, search, rng, picture, reel, known):
    """Make one call and its frames; return the number of frames.

    ``search`` is the state before the call, and becomes the state after the call.
    """
    call, before = search.counters[0] + 1, search.totals[0]
    n, size, iteration = 0, 0, 0
    for level in range(search.next_level[0], 0, -1):
        size = checkpoint_and_redraw(problem, schedule, search, rng, level)
        shown = search.costs[0] if level > 1 else np.nan
        numbers = (shown, known.best[0], before, known.seconds[0])
        put_frame(problem, search, picture, reel, n, call, REDRAW, level, 0, numbers, size)
        n += 1
    converged = False
    while not converged:
        converged = iterate(problem, search.state, rng)
        iteration += 1
        if converged or is_shown(iteration):
            search.costs[0] = cost(problem, search.state)
            numbers = (search.costs[0], known.best[0], before + iteration, known.seconds[0])
            put_frame(problem, search, picture, reel, n, call, ITERATE, 0, iteration, numbers, size)
            n += 1
    search.counters[0] = call
    search.totals[0] = before + iteration
    search.totals[1] = known.seconds[1]
    level, closing = 0, True
    while closing:
        level += 1
        kept = keep_or_revert(problem, schedule, search, level)
        closing = next_outermost(schedule, search, level)
        event = KEPT if kept else REVERTED
        numbers = (search.costs[0], known.best[1], search.totals[0], known.seconds[1])
        put_frame(problem, search, picture, reel, n, call, event, level, iteration, numbers, size)
        if known.new_best[0]:
            reel.frames[n, reel.offsets[FLAGS]] |= NEW_BEST
        n += 1
    reel.frames[n - 1, reel.offsets[FLAGS]] |= LAST
    return n


@driver
def closing_frame(problem, schedule, search, rng, picture, reel, rows, row, new_best):
    """Write the last frame of the call that the search has just finished."""
    decided, shown = 0, 1
    while decided < rows.kept.shape[1] and rows.kept[row, decided] != UNDECIDED:
        decided += 1
    iteration = rows.iterations[row]
    for i in range(1, iteration):
        shown += is_shown(i)
    event = KEPT if rows.kept[row, decided - 1] == ROW_KEPT else REVERTED
    numbers = (search.costs[0], rows.best[row], search.totals[0], rows.seconds[row])
    size, call = rows.counts[row, 0], search.counters[0]
    put_frame(problem, search, picture, reel, 0, call, event, decided, iteration, numbers, size)
    frame, at = reel.frames[0], reel.offsets
    put_whole(frame, at[SUB], 2, rows.level[row] + shown + decided - 1)
    frame[at[FLAGS]] = LAST | (NEW_BEST if new_best else 0)
    return 1
