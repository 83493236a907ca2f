"""A search together with its generator and everything it did: the loop that all runs share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..checks import seed_number
from ..engine.algorithm import (
    Limits,
    Search,
    advance,
    best_state,
    close_level,
    copy_search,
    finished,
    rows_for,
    start,
)
from ..engine.dispatch import arrays_of, copied_fields, copy_arrays, interpreted, map_arrays
from ..engine.kernels import check_alphas, check_subset, cost, optimise
from ..engine.schedule import Schedule
from ..engine.subsets import heuristic_name
from ..engine.trace import KEPT, UNDECIDED, Recorder, Rows, Trace, empty_rows

#: Rows and listed variables that one step can hold: every run has room for them.
STEP_ROWS = 1024
STEP_REDRAWN = 1 << 17


def generator(seed: Any) -> np.random.Generator:
    """Return the generator of a visible seed, a whole number ≥ 0."""
    return np.random.default_rng(seed_number(seed))


def step_rows(schedule: Schedule, most: int = STEP_ROWS) -> Rows:
    """Rows for one step: ``most`` calls, or fewer where they list many variables."""
    listed = max(1, len(rows_for(schedule, 1).redrawn))
    return rows_for(schedule, max(1, min(most, STEP_REDRAWN // listed)))


class Start(Protocol):
    """Where a search can begin, or go on from."""

    @property
    def calls(self) -> int: ...
    @property
    def nbytes(self) -> int: ...

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return a search there, and its generator."""
        ...


class Snapshot(NamedTuple):
    """A search at a certain call, from which it can be run on any number of times."""

    search: Search
    generator_state: Mapping[str, Any]

    @classmethod
    def of(cls, search: Search, rng: np.random.Generator) -> Snapshot:
        """Return a search and its generator as they stand, copied."""
        state, checkpoints, *arrays = search
        copy = Search(_packed(state), _packed(checkpoints), *(array.copy() for array in arrays))
        return cls(copy, rng.bit_generator.state)

    @classmethod
    def left(cls, search: Search, rng: np.random.Generator) -> Snapshot:
        """Return a search that nobody goes on with, and its generator, without a copy."""
        state, checkpoints, *arrays = search
        packed = (_packed(each, np.asarray) for each in (state, checkpoints))
        return cls(Search(*packed, *arrays), rng.bit_generator.state)

    @property
    def calls(self) -> int:
        return self.search.calls

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return _snapshot_bytes(self.search)

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return an independent copy of the search and its generator."""
        rng = np.random.default_rng(0)
        rng.bit_generator.state = self.generator_state
        return copy_search(self.search), rng


class Beginning(NamedTuple):
    """A search before its first call: a snapshot that takes no memory, as it can be made again."""

    problem: Any
    schedule: Schedule
    seed: int

    calls: int = 0
    nbytes: int = 0

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return a search that begins, and its generator."""
        rng = generator(self.seed)
        return start(self.problem, self.schedule, rng), rng


def _snapshot_bytes(search: Search) -> int:
    """Bytes of what a snapshot of a search has to keep."""
    return sum(
        array.nbytes
        for state in (search.state, search.checkpoints)
        for name in copied_fields(type(state))
        for array in arrays_of(getattr(state, name))
    )


def _packed(state: Any, take: Callable[[np.ndarray], np.ndarray] = np.copy) -> Any:
    """Return a state of what ``take`` makes of arrays; working space takes no memory."""

    def empty(array: np.ndarray) -> np.ndarray:
        return np.broadcast_to(array.dtype.type(), array.shape)

    needed = copied_fields(type(state))
    return type(state)(
        *(
            map_arrays(take if name in needed else empty, member)
            for name, member in zip(state._fields, state, strict=True)
        )
    )


class TracedSearch:
    """Runs a search in bounded steps and records one row an optimiser call.

    The same seed gives the same rows, however the steps are cut.

    Parameters
    ----------
    problem
        As :func:`prviz.kmeans` makes it.
    schedule : Schedule
    seed : int
    recorder
        Keeps what the search does, instead of a :class:`~prviz.engine.trace.Recorder` of all rows:
        one that keeps less has no trace; ask it instead.
    snapshot : Snapshot
        From which the search goes on, instead of the start; the recorder has what came before.

    Raises
    ------
    ValueError
        The problem does not know one of the schedule's sub-set heuristics, or no α.
    """

    workers = 1
    settled = True  # a cost, or the work done, may end it after any step

    def __init__(
        self,
        problem: Any,
        schedule: Schedule,
        seed: int = 0,
        recorder: Any = None,
        snapshot: Start | None = None,
    ):
        for number in schedule.subsets:
            check_subset(problem, heuristic_name(number))
        check_alphas(problem, schedule.alphas)
        self.problem, self.schedule, self.seed = problem, schedule, seed
        self.failure = ""  # why the search can't go on, in words
        self.cut = False  # within a call, by an interrupt: x and the generator are of no use
        self.search, self.rng = (snapshot or self.beginning()).resume()
        N = len(self.search.order)
        self._recorder = recorder or Recorder(schedule.n_levels, N)
        self._rows = step_rows(schedule)
        self._trace: Trace | None = None  # once it grows no more

    @property
    def calls(self) -> int:
        return self.search.calls

    @property
    def iterations(self) -> int:
        """Iterations of the local optimiser so far."""
        return int(self.search.totals[0])

    @property
    def seconds(self) -> float:
        """CPU seconds of the search so far."""
        return float(self.search.totals[1])

    @property
    def finished(self) -> bool:
        """True when the schedule's last call has been made, or no other can be."""
        return bool(self.failure) or bool(finished(self.schedule, self.search))

    def step(
        self,
        calls: float = math.inf,
        seconds: float = math.inf,
        iterations: float = math.inf,
        target: float = -math.inf,
    ) -> Rows:
        """Run on within :class:`~prviz.engine.algorithm.Limits`; returns the rows that this added.

        A step makes no more calls than it has rows for: there may be more to do.
        """
        n_rows = math.ceil(min(calls, len(self._rows.cost)))  # a part of a call is a whole one
        limits = Limits(n_rows, float(seconds), float(iterations), float(target))
        try:
            advance(self.problem, self.schedule, self.search, self.rng, self._rows, limits)
        except KeyboardInterrupt:
            self._discard_partial_call()
            raise
        except Exception as error:
            message = getattr(self.problem, "error_message", None)  # of compiled functions
            if message is None and not isinstance(error, FloatingPointError):
                raise
            self.failure = message(error) if message else str(error)  # earlier calls stand
            self.search.costs[0] = np.inf  # x is of no use, the checkpoints are
        self.cut = self.cut or bool(self.search.stop[0])
        return self.record()

    def _discard_partial_call(self) -> None:
        """After Ctrl-C, which can come anywhere in Python: x counts only if its cost is true."""
        if interpreted(self.problem):
            self.cut = True
            try:
                whole = cost(self.problem, self.search.state) == self.search.costs[0]
            except FloatingPointError:
                whole = False
            if not whole:
                self.search.costs[0] = np.inf

    def begin_at(self, configuration: Any) -> None:
        """Make the first call from a given configuration, instead of a fresh draw.

        Parameters
        ----------
        configuration : state, or mapping of str to array
            A state of the problem, or values of some of its fields: these must be all that the
            optimiser reads, such as the ``centers`` of k-means.
        """
        search, rows, m = self.search, self._rows, self.schedule.n_levels
        if isinstance(configuration, Mapping):
            for name, values in configuration.items():
                getattr(search.state, name)[...] = values
        else:
            copy_arrays(search.state, configuration)
        began = time.thread_time()
        cost, iterations = optimise(self.problem, search.state, self.rng, search.stop)
        search.costs[0] = cost
        rows.kept[0, :] = UNDECIDED
        rows.counts[0, :] = 0
        rows.counts[0, m - 1] = len(search.order)
        rows.level[0] = m
        rows.cost[0] = rows.best[0] = cost
        rows.iterations[0] = iterations
        level, closing = 0, True
        while closing:
            level += 1
            _, closing = close_level(self.problem, self.schedule, search, level)
            rows.kept[0, level - 1] = KEPT
        search.counters[0] = 1
        search.totals[:] = iterations, time.thread_time() - began
        rows.seconds[0] = search.totals[1]
        self.record()

    def interrupt(self) -> None:
        """End the search within the call under way, from another thread: it leaves no row."""
        self.search.stop[0] = 1

    def take_up(self, snapshot: Snapshot | Beginning | None = None) -> None:
        """Go on after an interrupt, from a snapshot before it or the start, on the same path."""
        if self.cut:
            calls, seconds = self.calls, self.seconds
            self.search, self.rng = (snapshot or self.beginning()).resume()
            again = step_rows(self.schedule)
            while (left := calls - self.calls) > 0:
                most = min(left, len(again.cost))
                limits = Limits(most)
                advance(self.problem, self.schedule, self.search, self.rng, again, limits)
            self.search.totals[1] = seconds
        self.search.stop[0] = 0
        self.cut = False

    def record(self) -> Rows:
        """Record what the search has done since the last time (an interrupt may fall between)."""
        return self._recorder.add(self._rows, self.calls - self._recorder.n_rows)

    @property
    def nbytes(self) -> int:
        """Memory of the search itself, without what it did."""
        states = filter(None, [self.search.state, self.search.checkpoints])
        return sum(array.nbytes for array in arrays_of((*states, self._rows)))

    def snapshot(self) -> Snapshot:
        """Return a resumable copy of the search as it stands."""
        return Snapshot.of(self.search, self.rng)

    def beginning(self) -> Beginning:
        """Return the search before its first call."""
        return Beginning(self.problem, self.schedule, self.seed)

    @property
    def snapshot_bytes(self) -> int:
        """Memory that a snapshot of it takes."""
        return _snapshot_bytes(self.search)

    def rest(self) -> None:
        """Let go of all that only a search which goes on needs: this one has ended."""
        self._trace = self._recorder.trace().narrow()
        self._recorder = Recorder(self.schedule.n_levels, self._trace.n_variables)
        self.search = self.search._replace(state=None, checkpoints=None)
        self._rows = empty_rows(0, self.schedule.n_levels, 0)

    def best_state(self) -> Any:
        return best_state(self.search)

    def trace(self) -> Trace:
        return self._trace or self._recorder.trace()
