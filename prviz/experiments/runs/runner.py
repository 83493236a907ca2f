"""Make many runs in waves of growing work, so that all runs make about equal progress."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .contender import Contender, RunLimit, Trial
from .improvements import Improvements

BEAT = 0.15  # target time of a wave in seconds, if starting and pausing runs is cheap
LOOK = 0.06  # seconds between checks for a stop
WORTH = 4.0  # a run continues for at least this multiple of the time needed to resume and pause it
HELD_BYTES = 1 << 30  # limit of memory for paused runs


class Budget(NamedTuple):
    """The budget of each run, and its target.

    Attributes
    ----------
    axis : {"iterations", "calls", "seconds"}
    total : float
        Work after which a run ends. The last call is always finished.
    target : float
        A run ends once its best cost is at most this.
    """

    axis: str
    total: float
    target: float = -math.inf


class Wave(NamedTuple):
    """The runs of a batch from all seeds that have begun.

    A seed has begun if every contender has made a call from this seed and from all earlier seeds.

    Attributes
    ----------
    seeds : list of int
    runs : dict of str to list of Improvements
        By contender, in the order of the seeds.
    last : bool
        True if the budget of these runs is used up.
    """

    seeds: list[int]
    runs: dict[str, list[Improvements]]
    last: bool


class Known(NamedTuple):
    """A completed run as a :class:`contender.Trial`."""

    improvements: Improvements
    done: bool = True
    nbytes: int = 0

    def further(self, problem: Any, limit: RunLimit) -> Known:
        return self


def waves(
    problem: Any,
    contenders: Mapping[str, Contender],
    seeds: Sequence[int],
    budget: Budget,
    workers: int,
    known: Mapping[tuple[str, int], Improvements] | None = None,
    most: int | None = None,
    held_bytes: int | None = None,
) -> Generator[Wave | None, None, None]:
    """Run contenders from each seed, in waves; each wave at most doubles the work.

    Runs use the backend of ``joblib.parallel_config``, or threads. Seeds come in batches if paused
    runs would exceed the memory limit, or if a batch size is given. During a long wave,
    intermediate results are yielded, so that the caller can stop. An intermediate result is None
    until every contender has finished a call from the first seed. Runs in ``known``, by contender
    and seed, are not repeated.
    """
    from joblib import Parallel

    held_bytes = HELD_BYTES if held_bytes is None else held_bytes
    room = max(1, held_bytes // max(1, held_by(problem, contenders)))

    with Parallel(n_jobs=workers, prefer="threads") as parallel:
        pool = _WorkerPool(parallel, problem, workers)
        made = {at: Known(run) for at, run in (known or {}).items()}
        for batch in _batches(seeds, min(room, most or room)):
            trials: dict[tuple[str, int], Trial] = {
                (name, seed): made.get((name, seed)) or contender.begin(problem, seed)
                for seed in batch
                for name, contender in contenders.items()
            }
            first = RunLimit(budget.axis, budget.total, 1, budget.target)
            for _ in pool.wave(trials, first):
                yield _wave(trials, _complete_seeds(trials, contenders, batch), contenders)
            while limit := pool.next_limit(trials, budget):
                yield _wave(trials, batch, contenders)
                for _ in pool.wave(trials, limit):
                    yield _wave(trials, batch, contenders)
            yield _wave(trials, batch, contenders, last=True)


class _WorkerPool:
    """Advances trials in small groups, and checks for a stop between groups."""

    def __init__(self, parallel: Any, problem: Any, workers: int):
        self._parallel, self._problem, self._workers = parallel, problem, workers
        self._at_once = workers
        self._handling = 0.0  # seconds to resume and pause a run in the last wave

    def wave(self, trials: dict[Any, Trial], limit: RunLimit) -> Iterator[None]:
        """Advance all trials to a limit, in place."""
        going = _unfinished(trials, limit.axis, limit.until)
        n, before, spent = len(going), _seconds(trials), 0.0
        while going:
            now, going = going[: self._at_once], going[self._at_once :]
            began = time.monotonic()
            gone = self._further([trials[at] for at in now], limit)
            trials.update(zip(now, gone, strict=True))
            took = time.monotonic() - began
            spent += took * self._workers
            # at most four times as many trials as this time
            fit = int(len(now) * LOOK / max(took, LOOK / 4))
            self._at_once = max(self._workers, fit)
            if going:
                yield None
        self._handling = max(0.0, spent - (_seconds(trials) - before)) / max(1, n)

    def _further(self, trials: list[Trial], limit: RunLimit) -> list[Trial]:
        from joblib import delayed

        return self._parallel(delayed(_further)(trial, self._problem, limit) for trial in trials)

    def next_limit(self, trials: Mapping[Any, Trial], budget: Budget) -> RunLimit | None:
        """Return the next limit: twice the least work, or less if a wave would take too long."""
        ends = [trials[at].improvements for at in _unfinished(trials, budget.axis, budget.total)]
        if not ends:
            return None
        reached = min(run.end(budget.axis) for run in ends)
        pace = min(run.end(budget.axis) / max(run.end_seconds, 1e-9) for run in ends)
        seconds = max(BEAT * self._workers / len(ends), WORTH * self._handling)
        until = min(budget.total, 2 * reached, reached + seconds * pace)
        return RunLimit(budget.axis, until, target=budget.target)


def _seconds(trials: Mapping[Any, Trial]) -> float:
    """Return the CPU seconds of all runs so far."""
    return sum(trial.improvements.end_seconds for trial in trials.values())


def _further(trial: Trial, problem: Any, limit: RunLimit) -> Trial:
    return trial.further(problem, limit)


def _unfinished(trials: Mapping[Any, Trial], axis: str, until: float) -> list[Any]:
    """Return the trials that have not reached a limit."""
    return [
        at
        for at, trial in trials.items()
        if not trial.done and trial.improvements.end(axis) < until
    ]


def _wave(
    trials: Mapping[Any, Trial], seeds: list[int], names: Iterable[str], last: bool = False
) -> Wave | None:
    runs = {name: [trials[name, seed].improvements for seed in seeds] for name in names}
    return Wave(seeds, runs, last) if seeds else None


def _complete_seeds(
    trials: Mapping[Any, Trial], names: Iterable[str], seeds: list[int]
) -> list[int]:
    """Return the seeds before the first seed for which a contender has not made a call."""
    begun = {at for at, trial in trials.items() if trial.done or trial.improvements.end_calls}
    there = [all((name, seed) in begun for name in names) for seed in seeds]
    return seeds[: there.index(False)] if False in there else seeds


def held_by(problem: Any, contenders: Mapping[str, Contender]) -> int:
    """Return the total memory, in bytes, of one paused run of each contender."""
    nowhere = RunLimit("calls", 0)
    begun = [contender.begin(problem, 0) for contender in contenders.values()]
    return sum(trial.further(problem, nowhere).nbytes for trial in begun)


def _batches(seeds: Sequence[int], most: int) -> Iterator[list[int]]:
    for first in range(0, len(seeds), most):
        yield list(seeds[first : first + most])
