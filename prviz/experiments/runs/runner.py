"""Many runs at once, in waves of ever more work, so that all have come about as far."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .contender import Contender, RunLimit, Trial
from .improvements import Improvements

BEAT = 0.15  # seconds that a wave takes, if to take runs up and lay them down costs little
LOOK = 0.06  # seconds between two chances to look and to stop
WORTH = 4.0  # a run is taken further by so many times what it takes to take it up and lay it down
HELD_BYTES = 1 << 30  # of runs that stand still while others go on


class Budget(NamedTuple):
    """What each run may use, and where it ends before.

    Attributes
    ----------
    axis : {"iterations", "calls", "seconds"}
    total : float
        The call under way is finished.
    target : float
        A cost: a run ends once its best is no more than this.
    """

    axis: str
    total: float
    target: float = -math.inf


class Wave(NamedTuple):
    """All runs of a batch of seeds, or of the first of them within the first wave.

    Attributes
    ----------
    seeds : list of int
    runs : dict of str to list of Improvements
        By contender, in the order of the seeds.
    last : bool
        Their budget is used up.
    """

    seeds: list[int]
    runs: dict[str, list[Improvements]]
    last: bool


class Known(NamedTuple):
    """A :class:`contender.Trial` that was made before."""

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
    """Run contenders from each seed: first a call each, then at most twice as much work each time.

    Runs go on side by side by what ``joblib.parallel_config`` says, or else in threads. If those
    that wait would take more memory than may be held, or at most so many seeds are asked for at
    once, seeds come in batches, one after the other. Within a long wave, what there is comes now
    and then, so that one can look and stop: None before anybody's first call. Runs that are known,
    by contender and seed, are not made again.
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
    """Takes trials further, so many at a time that it can be stopped in between."""

    def __init__(self, parallel: Any, problem: Any, workers: int):
        self._parallel, self._problem, self._workers = parallel, problem, workers
        self._at_once = workers
        self._handling = 0.0  # seconds that a run took in the last wave, beside its own

    def wave(self, trials: dict[Any, Trial], limit: RunLimit) -> Iterator[None]:
        """All trials after a limit, in place."""
        going = _unfinished(trials, limit.axis, limit.until)
        n, before, spent = len(going), _seconds(trials), 0.0
        while going:
            now, going = going[: self._at_once], going[self._at_once :]
            began = time.monotonic()
            gone = self._further([trials[at] for at in now], limit)
            trials.update(zip(now, gone, strict=True))
            took = time.monotonic() - began
            spent += took * self._workers
            fit = int(len(now) * LOOK / max(took, LOOK / 4))  # at most four times the last number
            self._at_once = max(self._workers, fit)
            if going:
                yield None
        self._handling = max(0.0, spent - (_seconds(trials) - before)) / max(1, n)

    def _further(self, trials: list[Trial], limit: RunLimit) -> list[Trial]:
        from joblib import delayed

        return self._parallel(delayed(_further)(trial, self._problem, limit) for trial in trials)

    def next_limit(self, trials: Mapping[Any, Trial], budget: Budget) -> RunLimit | None:
        """From the run that has come least far: twice as far, or as far as a wave may take."""
        ends = [trials[at].improvements for at in _unfinished(trials, budget.axis, budget.total)]
        if not ends:
            return None
        reached = min(run.end(budget.axis) for run in ends)
        pace = min(run.end(budget.axis) / max(run.end_seconds, 1e-9) for run in ends)
        seconds = max(BEAT * self._workers / len(ends), WORTH * self._handling)
        until = min(budget.total, 2 * reached, reached + seconds * pace)
        return RunLimit(budget.axis, until, target=budget.target)


def _seconds(trials: Mapping[Any, Trial]) -> float:
    """CPU seconds of all so far."""
    return sum(trial.improvements.end_seconds for trial in trials.values())


def _further(trial: Trial, problem: Any, limit: RunLimit) -> Trial:
    return trial.further(problem, limit)


def _unfinished(trials: Mapping[Any, Trial], axis: str, until: float) -> list[Any]:
    """Which trials have work left before they have done so much."""
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
    """Return the first seeds, up to one of which some contender has made no call yet."""
    begun = {at for at, trial in trials.items() if trial.done or trial.improvements.end_calls}
    there = [all((name, seed) in begun for name in names) for seed in seeds]
    return seeds[: there.index(False)] if False in there else seeds


def held_by(problem: Any, contenders: Mapping[str, Contender]) -> int:
    """Bytes that one run of each contender holds between two waves."""
    nowhere = RunLimit("calls", 0)
    begun = [contender.begin(problem, 0) for contender in contenders.values()]
    return sum(trial.further(problem, nowhere).nbytes for trial in begun)


def _batches(seeds: Sequence[int], most: int) -> Iterator[list[int]]:
    for first in range(0, len(seeds), most):
        yield list(seeds[first : first + most])
