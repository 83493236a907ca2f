"""Run several searches of one problem in parallel threads, and share the best configuration.

All searchers make equal numbers of calls. After a number of calls that depends only on costs, all
of them continue from the state of the best searcher. So the same seed and number of searchers give
the same rows, however fast they run (``docs/decisions/0028-searches-together.md``).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from ..checks import seed_number
from ..engine.algorithm import Limits, Search, best_state, copy_search, start
from ..engine.schedule import Schedule
from ..engine.trace import Rows, Trace
from .auto import copy_policy
from .traced_search import TracedSearch

#: Least and most calls of each searcher between exchanges. The number is small while costs fall,
#: because an exchange keeps the improvements of only one searcher. Otherwise the number grows.
SHARE, MOST_SHARE = 8, 512
LOOK = 0.05  # seconds between checks for a stop; long rounds are split
JOIN = 4096  # number of rounds whose rows are joined into one block


class Spawned(NamedTuple):
    """A search before its first call. Its generator is spawned from the common seed."""

    problem: Any
    schedule: Schedule
    sequence: np.random.SeedSequence

    calls: int = 0
    nbytes: int = 0
    policy: None = None

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return a new search and its generator."""
        rng = np.random.default_rng(self.sequence)
        return start(self.problem, self.schedule, rng), rng


class ParallelSearch:
    """Several searchers that share their best state, with the interface of :class:`TracedSearch`.

    Parameters
    ----------
    problem, schedule, seed
        See :class:`TracedSearch`. The seeds of the searchers are spawned from ``seed``.
    workers : int
        Number of searchers, each in a thread.

    Attributes
    ----------
    searchers : list of TracedSearch
        The run's best configuration is from the first searcher that has the best cost.
    """

    def __init__(self, problem: Any, schedule: Schedule, seed: int, workers: int):
        self.problem, self.schedule, self.seed = problem, schedule, seed_number(seed)
        self.workers = workers
        sequences = np.random.SeedSequence(self.seed).spawn(workers)
        self.searchers = [
            TracedSearch(problem, schedule, seed, snapshot=Spawned(problem, schedule, sequence))
            for sequence in sequences
        ]
        # calls of each searcher: since the last exchange, and between two exchanges
        self._round, self._length = 0, SHARE
        self._rounds = 0
        self._stood = math.inf, math.inf  # best costs at the last exchange

    @property
    def search(self) -> Search:
        """Return the search of the best searcher."""
        return min((each.search for each in self.searchers), key=_rank)

    @property
    def calls(self) -> int:
        """Return the number of calls of all searchers."""
        return sum(each.calls for each in self.searchers)

    @property
    def iterations(self) -> int:
        return sum(each.iterations for each in self.searchers)

    @property
    def seconds(self) -> float:
        """Return the CPU seconds of the slowest searcher, because searches run in parallel."""
        return max(each.seconds for each in self.searchers)

    @property
    def failure(self) -> str:
        return next((each.failure for each in self.searchers if each.failure), "")

    @property
    def finished(self) -> bool:
        return any(each.finished for each in self.searchers)

    @property
    def settled(self) -> bool:
        """Return True right after an exchange, when a target or a limit of iterations can apply."""
        return self._round == 0

    def step(
        self,
        calls: float = math.inf,
        seconds: float = math.inf,
        iterations: float = math.inf,
        target: float = -math.inf,
    ) -> None:
        """Run like :meth:`TracedSearch.step`. Calls and iterations are totals of all searchers.

        Ctrl-C interrupts only the waiting thread. So an interrupt cannot come between a call
        and its row, or during an exchange.
        """
        until = Limits(
            self.calls + calls, self.seconds + seconds, self.iterations + iterations, target
        )
        stop = threading.Event()
        with ThreadPoolExecutor(self.workers, "prviz-searcher") as pool:
            try:
                pool.submit(self._conduct, pool, until, stop).result()
            finally:
                stop.set()

    def _conduct(self, pool: ThreadPoolExecutor, until: Limits, stop: threading.Event) -> None:
        """Run all searchers: the first in the calling thread, the others in the pool."""
        while not (self.finished or stop.is_set()):
            each = self._piece(until.calls - self.calls)
            others = [pool.submit(_advance, searcher, each) for searcher in self.searchers[1:]]
            try:
                _advance(self.searchers[0], each)
            finally:
                wait(others)
            for other in others:
                other.result()
            self._round += each
            if self._round == self._length:
                self._share()
            if self.calls >= until.calls or self.seconds >= until.seconds:
                return
            done = self.search.best_cost <= until.target or self.iterations >= until.iterations
            if self.settled and done:
                return

    def _piece(self, left: float) -> int:
        """Return the number of calls of each searcher until the next check.

        Results do not depend on this number.
        """
        pace = self.seconds * self.workers / max(1, self.calls)
        soon = LOOK / pace if pace else 1.0
        return math.ceil(max(1.0, min(self._length - self._round, left / self.workers, soon // 1)))

    def _share(self) -> None:
        """Let all worse searchers continue from the best, each with its own generator."""
        first = min(self.searchers, key=lambda each: _rank(each.search))
        ahead = first.search
        better = _rank(ahead) < self._stood
        self._round, self._stood = 0, _rank(ahead)
        self._length = (
            max(SHARE, self._length // 2) if better else min(2 * self._length, MOST_SHARE)
        )
        for searcher in self.searchers:
            if _rank(searcher.search) > _rank(ahead):
                take_over(searcher, first)
        self._rounds += 1
        if self._rounds % JOIN == 0:
            for searcher in self.searchers:
                searcher.trace()

    def record(self) -> None:
        """Do nothing, because each step records everything."""

    def best_state(self) -> Any:
        return best_state(self.search)

    def trace(self) -> Trace:
        """Return all rows: the first call of every searcher, then the second call, …."""
        return interleaved([each.trace() for each in self.searchers])


def _advance(searcher: TracedSearch, calls: int) -> None:
    until = searcher.calls + calls
    while searcher.calls < until and not searcher.finished:
        searcher.step(until - searcher.calls)


def _rank(search: Search) -> tuple[float, float]:
    """Return a key that sorts searches by their best cost, then by the cost of x."""
    return search.best_cost, float(search.costs[0])


def take_over(searcher: TracedSearch, ahead: TracedSearch) -> None:
    """Let a searcher continue from the state of another with the same problem and schedule.

    Everything is copied to new memory, including checkpoints, because a state's records of changes
    are valid only within one search. Iterations and seconds are not copied. Both searchers must
    have made the same number of calls.
    """
    searcher.search = copy_search(ahead.search)._replace(totals=searcher.search.totals)
    searcher.policy = copy_policy(ahead.policy) if ahead.policy else None


def interleaved(traces: Sequence[Trace]) -> Trace:
    """Return one trace of parallel searches, in which their calls alternate.

    The column ``best`` has the best cost of all searches so far. ``seconds`` has the time of the
    search that made the call, and never decreases.
    """
    N = traces[0].n_variables
    turns = np.argsort(np.concatenate([np.arange(len(t)) for t in traces]), kind="stable")
    *columns, redrawn = (np.concatenate(c) for c in zip(*(t.rows for t in traces), strict=True))
    rows = Rows._make([*columns, redrawn])
    # number of listed variables in each row
    listed = np.where(rows.counts < N, rows.counts, 0).sum(axis=1)
    lengths = listed[turns]
    moved = (np.cumsum(listed) - listed)[turns] - (np.cumsum(lengths) - lengths)
    redrawn = redrawn[np.arange(len(redrawn)) + np.repeat(moved, lengths)]
    rows = Rows._make([*(column[turns] for column in columns), redrawn])
    best, seconds = np.minimum.accumulate(rows.best), np.maximum.accumulate(rows.seconds)
    return Trace(rows._replace(best=best, seconds=seconds), N)
