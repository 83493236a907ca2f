"""Many runs at once, in waves of ever more work, so that all have come about as far."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .contender import Attempt, Contender, Stretch
from .corners import Corners

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
    """All runs of a cohort of seeds, or of the first of them within the first wave.

    Attributes
    ----------
    seeds : list of int
    runs : dict of str to list of Corners
        By contender, in the order of the seeds.
    last : bool
        Their budget is used up.
    """

    seeds: list[int]
    runs: dict[str, list[Corners]]
    last: bool


class Known(NamedTuple):
    """An :class:`~prviz.experiments.contender.Attempt` that was made before."""

    corners: Corners
    done: bool = True
    nbytes: int = 0

    def further(self, problem: Any, stretch: Stretch) -> Known:
        return self


def waves(
    problem: Any,
    contenders: Mapping[str, Contender],
    seeds: Sequence[int],
    budget: Budget,
    workers: int,
    known: Mapping[tuple[str, int], Corners] | None = None,
    most: int | None = None,
    held_bytes: int | None = None,
) -> Generator[Wave | None, None, None]:
    """Run contenders from each seed: first a call each, then at most twice as much work each time.

    Runs go on side by side by what ``joblib.parallel_config`` says, or else in threads. If those
    that wait would take more memory than may be held, or at most so many seeds are asked for at
    once, seeds come in cohorts, one after the other. Within a long wave, what there is comes now
    and then, so that one can look and stop: None before anybody's first call. Runs that are known,
    by contender and seed, are not made again.
    """
    from joblib import Parallel

    held_bytes = HELD_BYTES if held_bytes is None else held_bytes
    room = max(1, held_bytes // max(1, held_by(problem, contenders)))

    with Parallel(n_jobs=workers, prefer="threads") as parallel:
        crew = _Crew(parallel, problem, workers)
        made = {at: Known(run) for at, run in (known or {}).items()}
        for cohort in _cohorts(seeds, min(room, most or room)):
            attempts: dict[tuple[str, int], Attempt] = {
                (name, seed): made.get((name, seed)) or contender.begin(problem, seed)
                for seed in cohort
                for name, contender in contenders.items()
            }
            first = Stretch(budget.axis, budget.total, 1, budget.target)
            for _ in crew.wave(attempts, first):
                yield _wave(attempts, _begun(attempts, contenders, cohort), contenders)
            while stretch := crew.next_stretch(attempts, budget):
                yield _wave(attempts, cohort, contenders)
                for _ in crew.wave(attempts, stretch):
                    yield _wave(attempts, cohort, contenders)
            yield _wave(attempts, cohort, contenders, last=True)


class _Crew:
    """Takes attempts further, so many at a time that it can be stopped in between."""

    def __init__(self, parallel: Any, problem: Any, workers: int):
        self._parallel, self._problem, self._workers = parallel, problem, workers
        self._at_once = workers
        self._handling = 0.0  # seconds that a run took in the last wave, beside its own

    def wave(self, attempts: dict[Any, Attempt], stretch: Stretch) -> Iterator[None]:
        """All attempts after a stretch, in place."""
        going = _going(attempts, stretch.axis, stretch.until)
        n, before, spent = len(going), _seconds(attempts), 0.0
        while going:
            now, going = going[: self._at_once], going[self._at_once :]
            began = time.monotonic()
            gone = self._further([attempts[at] for at in now], stretch)
            attempts.update(zip(now, gone, strict=True))
            took = time.monotonic() - began
            spent += took * self._workers
            fit = int(len(now) * LOOK / max(took, LOOK / 4))  # at most four times the last number
            self._at_once = max(self._workers, fit)
            if going:
                yield None
        self._handling = max(0.0, spent - (_seconds(attempts) - before)) / max(1, n)

    def _further(self, attempts: list[Attempt], stretch: Stretch) -> list[Attempt]:
        from joblib import delayed

        return self._parallel(
            delayed(_further)(attempt, self._problem, stretch) for attempt in attempts
        )

    def next_stretch(self, attempts: Mapping[Any, Attempt], budget: Budget) -> Stretch | None:
        """From the run that has come least far: twice as far, or as far as a wave may take."""
        ends = [attempts[at].corners for at in _going(attempts, budget.axis, budget.total)]
        if not ends:
            return None
        reached = min(run.end(budget.axis) for run in ends)
        pace = min(run.end(budget.axis) / max(run.end_seconds, 1e-9) for run in ends)
        seconds = max(BEAT * self._workers / len(ends), WORTH * self._handling)
        until = min(budget.total, 2 * reached, reached + seconds * pace)
        return Stretch(budget.axis, until, target=budget.target)


def _seconds(attempts: Mapping[Any, Attempt]) -> float:
    """CPU seconds of all so far."""
    return sum(attempt.corners.end_seconds for attempt in attempts.values())


def _further(attempt: Attempt, problem: Any, stretch: Stretch) -> Attempt:
    return attempt.further(problem, stretch)


def _going(attempts: Mapping[Any, Attempt], axis: str, until: float) -> list[Any]:
    """Which attempts have work left before they have done so much."""
    return [
        at
        for at, attempt in attempts.items()
        if not attempt.done and attempt.corners.end(axis) < until
    ]


def _wave(
    attempts: Mapping[Any, Attempt], seeds: list[int], names: Iterable[str], last: bool = False
) -> Wave | None:
    runs = {name: [attempts[name, seed].corners for seed in seeds] for name in names}
    return Wave(seeds, runs, last) if seeds else None


def _begun(attempts: Mapping[Any, Attempt], names: Iterable[str], seeds: list[int]) -> list[int]:
    """Return the first seeds, up to one of which some contender has made no call yet."""
    begun = {at for at, attempt in attempts.items() if attempt.done or attempt.corners.end_calls}
    there = [all((name, seed) in begun for name in names) for seed in seeds]
    return seeds[: there.index(False)] if False in there else seeds


def held_by(problem: Any, contenders: Mapping[str, Contender]) -> int:
    """Bytes that one run of each contender holds between two waves."""
    nowhere = Stretch("calls", 0)
    begun = [contender.begin(problem, 0) for contender in contenders.values()]
    return sum(attempt.further(problem, nowhere).nbytes for attempt in begun)


def _cohorts(seeds: Sequence[int], most: int) -> Iterator[list[int]]:
    for first in range(0, len(seeds), most):
        yield list(seeds[first : first + most])
