"""Make frames of any calls of a search on request.

A search makes thousands of calls per second, so frames are not stored. The requested calls run
again, step by step, from the latest snapshot before them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine.algorithm import (
    Limits,
    advance,
    best_state,
    close_level,
    iterate_on,
    redraw_level,
    rows_for,
)
from ...engine.schedule import Level, Schedule
from ...engine.trace import KEPT as ROW_KEPT
from ...engine.trace import UNDECIDED, Trace, improves
from ...search.auto import schedule_of_call, working
from ...search.reference import LISTING
from ...search.traced_search import Beginning, Snapshot
from .frames import (
    ITERATE,
    KEPT,
    LAST,
    NEW_BEST,
    REDRAW,
    REVERTED,
    empty_frames,
    encode_chosen,
    layout_json,
)
from .protocols import Scene

#: For each event, its line of ``LISTING``, counted from 1.
LINE = {ITERATE: 2, REDRAW: 4, KEPT: 6, REVERTED: 6}
SKIP_ROWS = 1024
FIRST_SHOWN = 24


class Film:
    """Makes frames of one run.

    Parameters
    ----------
    problem, schedule
        The search.
    scene
        The picture of the problem.
    """

    def __init__(self, problem: Any, schedule: Schedule, scene: Scene):
        self.problem, self.schedule, self.scene = problem, schedule, scene
        self.n_variables = int(schedule.sizes[-1])
        self.layout = layout_of(scene, schedule.rows())
        self._blank = empty_frames(self.layout, 1)

    def frames(
        self, snapshot: Snapshot | Beginning, trace: Trace, first: int, last: int
    ) -> tuple[bytes, Snapshot]:
        """Return the closing frame of call ``first`` − 1, then all frames up to call ``last``.

        Parameters
        ----------
        snapshot : Snapshot or Beginning
            A search after at most ``first`` − 1 calls.
        trace : Trace
            Trace with a row for every call up to ``last``.

        Returns
        -------
        frames : bytes
        after : Snapshot
            The search after call ``last``.
        """
        search, rng = snapshot.resume()
        automatic = self.schedule.automatic
        room = working(self.schedule) if automatic else self.schedule
        skipped = rows_for(room, 1 if automatic else SKIP_ROWS)
        while search.calls < first - 1:
            schedule = self._schedule_of(search, trace, search.calls + 1)
            calls = 1 if automatic else min(SKIP_ROWS, first - 1 - search.calls)
            advance(self.problem, schedule, search, rng, skipped, Limits(calls))
        reel = []
        if first > 1:
            new_best = _new_best(trace, first - 1)
            reel.append(self.closing(search, trace, first - 2, new_best))
        for call in range(first, last + 1):
            reel.extend(self._call(search, rng, trace, call))
        return b"".join(frame.tobytes() for frame in reel), Snapshot.left(search, rng)

    def closing(self, search: Any, trace: Trace, row: int, new_best: bool) -> np.void:
        """Return the last frame of the call that ``search`` has just finished.

        Parameters
        ----------
        search : Search
        trace : Trace
            The run's trace, or a part of it.
        row : int
            Index of the call in ``trace``.
        new_best : bool
            Whether the call found a new best.
        """
        decided = int((trace.kept[row] != UNDECIDED).sum())
        event = KEPT if trace.kept[row, decided - 1] == ROW_KEPT else REVERTED
        chosen = trace.redrawn_in(row + 1)[1]
        iteration = int(trace.iterations[row])
        sub = int(trace.level[row]) + n_shown(iteration) + decided - 1
        frame = self._frame(search, search.calls, sub, event, decided, chosen)
        frame["flags"] = LAST | (NEW_BEST if new_best else 0)
        self._fill(frame, search.costs[0], iteration, search.totals[0], trace, row)
        return frame

    def best(self, search: Any) -> np.void:
        """Return a frame of the best configuration, found by the last call of the search."""
        frame = self._blank.copy()[0]
        frame["call"] = search.calls
        frame["event"] = KEPT
        frame["flags"] = LAST | NEW_BEST
        frame["cost"] = frame["best"] = search.best_cost
        frame["iterations"], frame["seconds"] = search.totals
        frame["checkpoints"] = math.inf
        self.scene.draw(frame, best_state(search))
        return frame

    def _schedule_of(self, search: Any, trace: Trace, call: int) -> Schedule:
        """Return the schedule of a call; if the search chose its level, set ``next_level``."""
        if not self.schedule.automatic:
            return self.schedule
        search.next_level[0] = trace.level[call - 1]
        return schedule_of_call(self.schedule, self.problem, trace, call)

    def _call(
        self, search: Any, rng: np.random.Generator, trace: Trace, call: int
    ) -> list[np.void]:
        """Return all frames of a call."""
        problem, schedule = self.problem, self._schedule_of(search, trace, call)
        reel: list[np.void] = []
        chosen = np.empty(0, np.int64)
        iteration, before = 0, search.totals[0]

        def add(event: int, level: int, cost: float, row: int) -> None:
            frame = self._frame(search, call, len(reel), event, level, chosen)
            self._fill(frame, cost, iteration, before + iteration, trace, row)
            reel.append(frame)

        for level in range(int(search.next_level[0]), 0, -1):
            size = redraw_level(problem, schedule, search, rng, level)
            chosen = search.order[:size].copy()
            add(REDRAW, level, search.costs[0] if level > 1 else math.nan, call - 2)
        converged = False
        while not converged:
            ahead = next_shown(iteration) - iteration
            made, converged = iterate_on(problem, search, rng, ahead)
            iteration += made
            add(ITERATE, 0, search.costs[0], call - 2)
        search.counters[0] += 1
        search.totals[0] += iteration
        search.totals[1] = trace.seconds[call - 1]
        level, closing = 0, True
        while closing:
            level += 1
            kept, closing = close_level(problem, schedule, search, level)
            add(KEPT if kept else REVERTED, level, search.costs[0], call - 1)
            if _new_best(trace, call):
                reel[-1]["flags"] |= NEW_BEST
        reel[-1]["flags"] |= LAST
        return reel

    def _frame(
        self, search: Any, call: int, sub: int, event: int, level: int, chosen: np.ndarray
    ) -> np.void:
        frame = self._blank.copy()[0]
        frame["call"] = call
        frame["sub"] = min(sub, 65535)
        frame["event"] = event
        frame["level"] = level
        frame["line"] = LINE[event]
        frame["checkpoints"] = search.costs[1:]
        frame["counters"] = search.counters[1:]
        frame["chosen"] = encode_chosen(chosen, self.n_variables)
        self.scene.draw(frame, search.state)
        return frame

    @staticmethod
    def _fill(
        frame: np.void, cost: float, iteration: int, iterations: int, trace: Trace, row: int
    ) -> None:
        """Set the numbers of a frame; totals come from a row of the trace (−1 for no row)."""
        frame["cost"] = cost
        frame["iteration"] = iteration
        frame["iterations"] = iterations
        frame["best"] = trace.best[row] if row >= 0 else math.inf
        frame["seconds"] = trace.seconds[row] if row >= 0 else 0.0


def layout_of(scene: Scene, levels: Sequence[Level]) -> dict[str, Any]:
    """Return the layout of the frames of a scene, for a search with these levels."""
    return layout_json(
        title=scene.title,
        noun=scene.noun,
        cost=scene.cost,
        optimiser=scene.optimiser,
        iteration=getattr(scene, "iteration", None),
        shown=getattr(scene, "shown", None),
        chance_of=getattr(scene, "chance_of", None),
        n_variables=int(levels[-1].size or 0),
        levels=levels,
        world=scene.world,
        layers=scene.layers,
        channels=scene.channels,
        algorithm=LISTING,
        best_known=scene.best_known,
        solved_within=scene.solved_within,
    )


def is_shown(iteration: int) -> bool:
    """Return True if an inner iteration, other than the last, has a frame.

    The first 24 iterations have frames, then every second up to 48, every fourth up to 96, and so
    on. Later iterations change little, and each frame takes time to send.
    """
    spacing = 1
    while iteration > FIRST_SHOWN * spacing:
        spacing *= 2
    return iteration % spacing == 0


def next_shown(iteration: int) -> int:
    """Return the next inner iteration with a frame."""
    iteration += 1
    while not is_shown(iteration):
        iteration += 1
    return iteration


def n_shown(iterations: int) -> int:
    """Return how many inner iterations of a call have frames; the last always has one."""
    return 1 + sum(map(is_shown, range(1, iterations)))


def _new_best(trace: Trace, call: int) -> bool:
    return call == 1 or bool(improves(trace.best[call - 1], trace.best[call - 2], trace.best[0]))
