"""Several searches of one problem, side by side in threads, that go on from the best of all.

They make equally many calls, and share after certain numbers of them: costs alone decide, never
the clock, so that the same seed and number of searchers give the same rows on any machine
(``docs/decisions/0028-searches-together.md``).
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
from .traced_search import TracedSearch

#: Calls of each searcher between two moments at which they share: the fewest while they find
#: lower costs, as of those in one round only one is kept, and ever more while they find none.
SHARE, MOST_SHARE = 8, 512
LOOK = 0.05  # seconds between two chances to stop: a round of slow calls is made in pieces
JOIN = 4096  # rounds, after which the rows of so many are joined to one block


class Spawned(NamedTuple):
    """A search before its first call, with a generator of its own from the seed of all."""

    problem: Any
    schedule: Schedule
    sequence: np.random.SeedSequence

    calls: int = 0
    nbytes: int = 0

    def resume(self) -> tuple[Search, np.random.Generator]:
        """Return a search that begins, and its generator."""
        rng = np.random.default_rng(self.sequence)
        return start(self.problem, self.schedule, rng), rng


class ParallelSearch:
    """Searchers that share, to be used as one :class:`~prviz.search.traced_search.TracedSearch`.

    Parameters
    ----------
    problem, schedule, seed
        As there; the seeds of the searchers are spawned from the one.
    workers : int
        Searchers, each in a thread.

    Attributes
    ----------
    searchers : list of TracedSearch
        In the order that decides between equals.
    """

    def __init__(self, problem: Any, schedule: Schedule, seed: int, workers: int):
        self.problem, self.schedule, self.seed, self.workers = problem, schedule, seed, workers
        sequences = np.random.SeedSequence(seed_number(seed)).spawn(workers)
        self.searchers = [
            TracedSearch(problem, schedule, seed, snapshot=Spawned(problem, schedule, sequence))
            for sequence in sequences
        ]
        self._round, self._length = 0, SHARE  # calls of each since they shared, and until they do
        self._rounds = 0
        self._stood = math.inf, math.inf  # who was ahead then

    @property
    def search(self) -> Search:
        """That of the searcher which is ahead."""
        return min((each.search for each in self.searchers), key=_rank)

    @property
    def calls(self) -> int:
        """Of all searchers together, as iterations are."""
        return sum(each.calls for each in self.searchers)

    @property
    def iterations(self) -> int:
        return sum(each.iterations for each in self.searchers)

    @property
    def seconds(self) -> float:
        """CPU seconds of the one that has used most: they run side by side."""
        return max(each.seconds for each in self.searchers)

    @property
    def failure(self) -> str:
        return next((each.failure for each in self.searchers if each.failure), "")

    @property
    def finished(self) -> bool:
        return any(each.finished for each in self.searchers)

    @property
    def settled(self) -> bool:
        """Whether they have just shared: only then may a cost, or the work done, end the run."""
        return self._round == 0

    def step(
        self,
        calls: float = math.inf,
        seconds: float = math.inf,
        iterations: float = math.inf,
        target: float = -math.inf,
    ) -> None:
        """Run on as :meth:`TracedSearch.step` does; calls and iterations are those of all.

        Ctrl-C comes to the thread that waits, and so never between a call and its row, or while
        searchers share.
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
        """Let all searchers run on; the first does so in this thread."""
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
        """Return the calls of each until the next look; the cut changes no result."""
        pace = self.seconds * self.workers / max(1, self.calls)
        soon = LOOK / pace if pace else 1.0
        return math.ceil(max(1.0, min(self._length - self._round, left / self.workers, soon // 1)))

    def _share(self) -> None:
        """All that are behind go on from the one that is ahead, each with its own generator."""
        ahead = self.search
        better = _rank(ahead) < self._stood
        self._round, self._stood = 0, _rank(ahead)
        self._length = (
            max(SHARE, self._length // 2) if better else min(2 * self._length, MOST_SHARE)
        )
        for searcher in self.searchers:
            if _rank(searcher.search) > _rank(ahead):
                take_over(searcher, ahead)
        self._rounds += 1
        if self._rounds % JOIN == 0:
            for searcher in self.searchers:
                searcher.trace()

    def record(self) -> None:
        """Nothing is left to record after a step, whatever ended it."""

    def best_state(self) -> Any:
        return best_state(self.search)

    def trace(self) -> Trace:
        """Return the rows of all: the first call of each searcher, the second of each, …."""
        return interleaved([each.trace() for each in self.searchers])


def _advance(searcher: TracedSearch, calls: int) -> None:
    until = searcher.calls + calls
    while searcher.calls < until and not searcher.finished:
        searcher.step(until - searcher.calls)


def _rank(search: Search) -> tuple[float, float]:
    """Who is ahead: the lowest cost of a checkpoint or of x, and then that of x."""
    return search.best_cost, float(search.costs[0])


def take_over(searcher: TracedSearch, ahead: Search) -> None:
    """Have a searcher go on from where another of the same problem and schedule is.

    All of that search is copied, checkpoints too, and into new room: what a state notes of itself,
    in its working space as well, holds among the states of one search only. The work done stays
    its own. Both must have made equally many calls, so that they stand between the same two.
    """
    searcher.search = copy_search(ahead)._replace(totals=searcher.search.totals)


def interleaved(traces: Sequence[Trace]) -> Trace:
    """One trace of searches that went on side by side: a call of each, in turns.

    The best is that of all so far. Seconds are those of the search itself whose call it is, and
    never fall.
    """
    N = traces[0].n_variables
    turns = np.argsort(np.concatenate([np.arange(len(t)) for t in traces]), kind="stable")
    *columns, redrawn = (np.concatenate(c) for c in zip(*(t.rows for t in traces), strict=True))
    rows = Rows._make([*columns, redrawn])
    listed = np.where(rows.counts < N, rows.counts, 0).sum(axis=1)  # of the variables, in each row
    lengths = listed[turns]
    moved = (np.cumsum(listed) - listed)[turns] - (np.cumsum(lengths) - lengths)
    redrawn = redrawn[np.arange(len(redrawn)) + np.repeat(moved, lengths)]
    rows = Rows._make([*(column[turns] for column in columns), redrawn])
    best, seconds = np.minimum.accumulate(rows.best), np.maximum.accumulate(rows.seconds)
    return Trace(rows._replace(best=best, seconds=seconds), N)
