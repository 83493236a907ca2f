"""A search with its random generator and its record. All searches of prviz use this class."""

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
from ..system.interrupts import delayed_interrupt
from .auto import Policy, advance_auto, copy_policy, learn, policy_of, working

#: Maximum numbers of rows and of listed variables per step.
STEP_ROWS = 1024
STEP_REDRAWN = 1 << 17


def generator(seed: Any) -> np.random.Generator:
    """Return the generator for a seed, a whole number ≥ 0."""
    return np.random.default_rng(seed_number(seed))


def step_rows(schedule: Schedule, most: int = STEP_ROWS) -> Rows:
    """Return rows for one step: for ``most`` calls, or fewer if a call redraws many variables."""
    listed = max(1, len(rows_for(schedule, 1).redrawn))
    return rows_for(schedule, max(1, min(most, STEP_REDRAWN // listed)))


def by_policy(problem: Any, schedule: Schedule) -> bool:
    """Return True if :mod:`prviz.search.auto` chooses sizes and restarts.

    A problem whose ``chooses`` is True chooses sizes in its select kernel instead.
    """
    return schedule.automatic and not getattr(problem, "chooses", False)


class Start(Protocol):
    """A position from which a search can begin or continue."""

    @property
    def calls(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def policy(self) -> Policy | None: ...

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return a search at this position, and its generator."""
        ...


class Snapshot(NamedTuple):
    """A search after a certain call, from which searches can continue any number of times."""

    search: Search
    generator_state: Mapping[str, Any]
    policy: Policy | None = None  # for k1="auto"

    @classmethod
    def of(cls, search: Search, rng: np.random.Generator) -> Snapshot:
        """Return a copy of the search and of its generator."""
        state, checkpoints, *arrays = search
        copy = Search(_packed(state), _packed(checkpoints), *(array.copy() for array in arrays))
        return cls(copy, rng.bit_generator.state)

    @classmethod
    def left(cls, search: Search, rng: np.random.Generator) -> Snapshot:
        """Return a snapshot that takes over a search's arrays: do not use the search afterwards."""
        state, checkpoints, *arrays = search
        packed = (_packed(each, np.asarray) for each in (state, checkpoints))
        return cls(Search(*packed, *arrays), rng.bit_generator.state)

    @property
    def calls(self) -> int:
        return self.search.calls

    @property
    def nbytes(self) -> int:
        """Return the size of the snapshot in bytes."""
        return _snapshot_bytes(self.search)

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return an independent copy of the search and its generator."""
        rng = np.random.default_rng(0)
        rng.bit_generator.state = self.generator_state
        return copy_search(self.search), rng


class Beginning(NamedTuple):
    """A search before its first call: a snapshot that takes no memory."""

    problem: Any
    schedule: Schedule
    seed: int

    calls: int = 0
    nbytes: int = 0
    policy: Policy | None = None

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return a new search and its generator."""
        rng = generator(self.seed)
        return start(self.problem, self.schedule, rng), rng


def _snapshot_bytes(search: Search) -> int:
    """Return the size of a snapshot in bytes."""
    return sum(
        array.nbytes
        for state in (search.state, search.checkpoints)
        for name in copied_fields(type(state))
        for array in arrays_of(getattr(state, name))
    )


def _packed(state: Any, take: Callable[[np.ndarray], np.ndarray] = np.copy) -> Any:
    """Return a state whose arrays are copied by ``take``, without memory for working space."""

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
    """Run a search in steps, and record one row per optimiser call.

    The same seed gives the same rows, however the run is divided into steps.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`.
    schedule : Schedule
    seed : int
    recorder
        Object that records the rows. By default, a :class:`~prviz.engine.trace.Recorder` stores all
        rows. If a recorder stores less, there is no trace.
    snapshot : Snapshot
        Snapshot from which to continue. ``recorder`` must have the rows so far.

    Raises
    ------
    ValueError
        The problem does not support a level's sub-set heuristic or α.
    """

    workers = 1
    settled = True  # a target or a limit of work may end the run after any step

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
        self.problem, self.schedule, self.seed = problem, schedule, seed_number(seed)
        self._compiled = False  # True after the first step
        self.failure = ""  # message that says why the search cannot continue
        self.given = False  # True if the first call began at a given configuration
        self.cut = False  # True after an interrupt during a call: x and the generator are invalid
        self._schedule = working(schedule) if schedule.automatic else schedule
        self.policy: Policy | None = None
        self._resume(snapshot or self.beginning())
        N = len(self.search.order)
        self._recorder = recorder or Recorder(schedule.n_levels, N)
        self._rows = step_rows(self._schedule)
        self._trace: Trace | None = None  # the trace, set when it is complete

    @property
    def calls(self) -> int:
        return self.search.calls

    @property
    def iterations(self) -> int:
        """Return the iterations of the local optimiser so far."""
        return int(self.search.totals[0])

    @property
    def seconds(self) -> float:
        """Return the CPU seconds of the search so far."""
        return float(self.search.totals[1])

    @property
    def finished(self) -> bool:
        """Return True after the schedule's last call, or after a failure."""
        return bool(self.failure) or bool(finished(self.schedule, self.search))

    def step(
        self,
        calls: float = math.inf,
        seconds: float = math.inf,
        iterations: float = math.inf,
        target: float = -math.inf,
    ) -> Rows:
        """Run within :class:`~prviz.engine.algorithm.Limits`; return the new rows.

        A step also ends when its rows are full, so call it again until the limits are reached.
        """
        n_rows = math.ceil(min(calls, len(self._rows.cost)))  # a call that has begun is completed
        limits = Limits(n_rows, float(seconds), float(iterations), float(target))
        try:
            self._advance(self._rows, limits)
        except KeyboardInterrupt:
            self._discard_partial_call()
            raise
        except Exception as error:
            message = getattr(self.problem, "error_message", None)  # only for compiled functions
            if message is None and not isinstance(error, FloatingPointError):
                raise
            self.failure = message(error) if message else str(error)  # earlier calls remain valid
            self.search.costs[0] = np.inf  # x is invalid, but the checkpoints are valid
        self.cut = self.cut or bool(self.search.stop[0])
        return self.record()

    def _advance(self, rows: Rows, limits: Limits) -> None:
        of_search = self.problem, self._schedule, self.search, self.rng, rows, limits
        with delayed_interrupt(unless=interpreted(self.problem) or not self._compiled):
            if self.policy is None:
                advance(*of_search)
            else:
                advance_auto(*of_search, self.policy)
        self._compiled = True

    def _resume(self, snapshot: Start) -> None:
        self.search, self.rng = snapshot.resume()
        if by_policy(self.problem, self.schedule):
            before = snapshot.policy
            self.policy = copy_policy(before) if before else policy_of(self.schedule, self.problem)

    def _discard_partial_call(self) -> None:
        """Drop x after Ctrl-C if its stored cost is wrong, because Ctrl-C can occur anywhere."""
        if interpreted(self.problem):
            self.cut = True
            try:
                whole = cost(self.problem, self.search.state) == self.search.costs[0]
            except FloatingPointError:
                whole = False
            if not whole:
                self.search.costs[0] = np.inf

    def begin_at(self, configuration: Any) -> None:
        """Begin the first call at a given configuration instead of a random one.

        Parameters
        ----------
        configuration : state, or mapping of str to array
            A state of the problem, or values of some of its fields. They must include everything
            that the optimiser reads, such as the ``centers`` of k-means.
        """
        search, rows, m = self.search, self._rows, self.schedule.n_levels
        self.given = True
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
            _, closing = close_level(self.problem, self._schedule, search, level)
            rows.kept[0, level - 1] = KEPT
        if self.policy is not None:
            learn(self.policy, 0, cost, iterations)
        search.counters[0] = 1
        search.totals[:] = iterations, time.thread_time() - began
        rows.seconds[0] = search.totals[1]
        self.record()

    def interrupt(self) -> None:
        """Stop the search during its present call, from another thread. The call gets no row."""
        self.search.stop[0] = 1

    def take_up(self, snapshot: Snapshot | Beginning | None = None) -> None:
        """Repeat an interrupted search from a snapshot or the start, so that it can continue."""
        if self.cut:
            calls, seconds = self.calls, self.seconds
            self._resume(snapshot or self.beginning())
            again = step_rows(self._schedule)
            while (left := calls - self.calls) > 0:
                self._advance(again, Limits(min(left, len(again.cost))))
            self.search.totals[1] = seconds
        self.search.stop[0] = 0
        self.cut = False

    def record(self) -> Rows:
        """Record the rows that are not yet recorded, also after an interrupt."""
        return self._recorder.add(self._rows, self.calls - self._recorder.n_rows)

    @property
    def nbytes(self) -> int:
        """Return the size of the search without its record."""
        states = filter(None, [self.search.state, self.search.checkpoints])
        return sum(array.nbytes for array in arrays_of((*states, self._rows)))

    def snapshot(self) -> Snapshot:
        """Return a copy of the search, which can continue."""
        policy = copy_policy(self.policy) if self.policy else None
        return Snapshot.of(self.search, self.rng)._replace(policy=policy)

    def beginning(self) -> Beginning:
        """Return the search before its first call."""
        return Beginning(self.problem, self.schedule, self.seed)

    @property
    def snapshot_bytes(self) -> int:
        """Return the size of a snapshot."""
        return _snapshot_bytes(self.search)

    def rest(self) -> None:
        """Free the memory that only an unfinished search needs."""
        self._trace = self._recorder.trace().narrow()
        self._recorder = Recorder(self.schedule.n_levels, self._trace.n_variables)
        self.search = self.search._replace(state=None, checkpoints=None)
        self._rows = empty_rows(0, self.schedule.n_levels, 0)

    def best_state(self) -> Any:
        return best_state(self.search)

    def trace(self) -> Trace:
        return self._trace or self._recorder.trace()
