"""Tuning: run settings on more and more seeds, drop the worse ones, and check the best."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..runs.as_completed import Signals, finished
from ..runs.contender import Contender, Reinitialisation, RunLimit
from ..runs.improvements import Improvements, rounding
from ..runs.runner import Budget
from ..statistics.fixed_target import ERT, Hits, ert, hits_of
from ..statistics.pairwise import Chance, Ratio, chance_below, ert_ratio
from .halving import RUNGS, Halving
from .ranking import mean_ranks, places, scores

CHECKED = 100  # fresh seeds of the leader and of the baseline
RUNGS_SHARE = 0.7  # share of the time after which no new rung starts
TRIED = 0.1  # CPU seconds for measuring a setting's speed
STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # the work is one of these numbers times a power of ten


class Cell(NamedTuple):
    """A setting to try.

    Attributes
    ----------
    name : str
        Unique name.
    settings : mapping
        As in :func:`prviz.run`.
    contender : Contender
    place : tuple of int, or None
        Position on the grid, one index per axis; None outside the grid.
    """

    name: str
    settings: Mapping[str, Any]
    contender: Contender
    place: tuple[int, ...] | None = None


class Checked(NamedTuple):
    """The leader against the usual setting, on fresh seeds.

    Attributes
    ----------
    n : int
        Number of fresh seeds for each of the two settings.
    ratio : Ratio or None
        Expected work until the target: the leader's divided by the usual setting's; None if neither
        reached the target.
    chance : Chance
        Probability that a run of the leader is better than a run of the usual setting.
    better : bool
        True if the interval of the ratio is below 1. Without a ratio, True if the interval of the
        probability is above ½.
    """

    n: int
    ratio: Ratio | None
    chance: Chance
    better: bool


class Shelf(Protocol):
    """Storage of finished runs, such as :class:`~prviz.experiments.runs.store.Shelf`."""

    def find_runs(
        self, wanted: Iterable[tuple[str, int]]
    ) -> Mapping[tuple[str, int], Improvements]: ...
    def keep_run(self, name: str, seed: int, run: Improvements) -> None: ...


class _How(NamedTuple):
    """The way in which runs are made; see the parameters of :meth:`Tuner.steps`."""

    workers: int
    shelf: Shelf | None
    signals: Signals
    lock: Any


class Tuner:
    """Settings of one problem, tried with more and more seeds; see :func:`prviz.tune`.

    Parameters
    ----------
    problem
    cells : sequence of Cell
    usual, full : int
        Indices of the usual setting (the baseline) and of full restarts, which are never dropped.
    budget : Budget
        Budget of each run.
    rungs : sequence of int
    check : int
        Number of fresh seeds for the check; 0 for no check.
    whose : str
        Name of the usual setting.

    Attributes
    ----------
    runs : list of dict of int to Improvements
        Runs of each cell, by seed.
    checked : Checked or None
        None before the check, and if the usual setting is the leader.
    interrupted : bool
        True if the tuning was stopped early; results so far are valid.
    done : bool
    """

    def __init__(
        self,
        problem: Any,
        cells: Sequence[Cell],
        usual: int,
        full: int,
        budget: Budget,
        rungs: Sequence[int] = RUNGS,
        check: int = CHECKED,
        whose: str = "the usual setting",
    ):
        self.whose = whose
        self.problem, self.cells, self.budget = problem, list(cells), budget
        self.usual, self.full, self.check = usual, full, check
        self.runs: list[dict[int, Improvements]] = [{} for _ in cells]
        self.checked: Checked | None = None
        self.interrupted = self.done = False
        self.cpu_seconds, self.made = 0.0, 0  # CPU seconds and number of runs, without stored runs
        self._halving = Halving(len(cells), {usual, full}, rungs)
        self._fresh: dict[int, dict[int, Improvements]] = {}  # runs of the check
        self._smaller = smaller_m1([cell.contender for cell in self.cells])
        self._ranks = [len(others) for others in self._smaller]  # cells with lower ranks run first

    # Results

    @property
    def rungs(self) -> tuple[int, ...]:
        return self._halving.rungs

    @property
    def rung(self) -> int:
        """Return the present rung, from 0."""
        return self._halving.rung

    @property
    def dropped(self) -> dict[int, int]:
        """Return, for each dropped cell, its last rung, numbered from 0."""
        return dict(self._halving.dropped)

    @property
    def living(self) -> list[int]:
        return self._halving.living

    @property
    def leader(self) -> int | None:
        """Return the cell with the best setting so far; None before the first run."""
        found = self._halving.leader if self.done else self._halving.first()
        return None if found is None else self.merged(found)

    @property
    def best(self) -> Mapping[str, Any] | None:
        """Return the leader's settings as arguments of :func:`prviz.run`, or None."""
        return None if self.leader is None else self.cells[self.leader].settings

    @property
    def fresh(self) -> dict[int, dict[int, Improvements]]:
        """Return the runs of the check, by cell and seed."""
        return self._fresh

    @property
    def better(self) -> bool:
        """Return True if the leader beat the usual setting significantly on fresh seeds."""
        return self.checked is not None and self.checked.better

    def hits(self, cell: int) -> Hits:
        """Return the work at which each run of a cell reached the target."""
        return hits_of([*self.runs[cell].values()], self.budget.target, self.budget.axis)

    def ert(self, cell: int) -> ERT:
        """Return the expected work of a cell to reach the target."""
        return ert(self.hits(cell))

    def median_seed(self, cell: int) -> int | None:
        """Return the seed of a cell's median run; the better one of two middle runs."""
        seeds = sorted(self.runs[cell])
        if not seeds:
            return None
        scored = np.array([self._halving.scored[cell][seed] for seed in seeds])
        order = np.argsort(places(scored, self._halving.alike), kind="stable")
        return seeds[order[(len(seeds) - 1) // 2]]

    def merged(self, cell: int) -> int:
        """Return the cell that represents all cells with the same runs as this one.

        Settings that differ only in M₁ are the same search while no run has more calls than the
        smaller M₁. Such settings form a group. The usual setting represents its
        group; in any other group, the setting with the smallest M₁ does.
        """
        found = self._smallest_alike(cell)
        return self.usual if found == self._smallest_alike(self.usual) else found

    def _smallest_alike(self, cell: int) -> int:
        """Return the cell with the smallest M₁ that makes the same search as ``cell``."""
        calls = max((run.end_calls for run in self.runs[cell].values()), default=math.inf)
        found = (at for at, m1 in self._smaller[cell] if self.runs[at] and calls <= m1)
        return next(found, cell)

    def ranking(self) -> list[int]:
        """Return cells with runs: the leader, remaining cells by rank, dropped cells.

        Of cells with the same runs, only one is listed; see :meth:`merged`.
        """
        cells = [i for i in range(len(self.cells)) if self.runs[i] and self.merged(i) == i]
        out = self._halving.dropped
        ranks = dict(zip(cells, self._mean_ranks(cells), strict=True)) if cells else {}
        top = self.leader
        return sorted(cells, key=lambda cell: (cell != top, -out.get(cell, math.inf), ranks[cell]))

    def _mean_ranks(self, cells: Sequence[int]) -> np.ndarray:
        scored = [np.array([*self._halving.scored[cell].values()]) for cell in cells]
        return mean_ranks(scored, self._halving.alike)

    # Steps

    def steps(
        self,
        workers: int,
        shelf: Shelf | None = None,
        signals: Signals | None = None,
        seconds: float = math.inf,
        lock: Any = None,
    ) -> Generator[None, None, None]:
        """Make all runs; yield after each new run, and at regular intervals.

        Parameters
        ----------
        workers : int
            Number of parallel runs.
        shelf : Shelf, optional
            Storage of the runs of each cell.
        signals : Signals, optional
            Events that stop or pause the tuning. After a stop, the best setting so far is kept.
        seconds : float
            Approximate time limit: no new rung begins after 0.7 × seconds × workers CPU seconds.
        lock : context manager, optional
            A lock that is held while results change, for readers in other threads.
        """
        how = _How(workers, shelf, signals or Signals.none(), lock or contextlib.nullcontext())
        stop, most = how.signals.stop, RUNGS_SHARE * seconds * workers
        for pairs in self._halving.asks():
            if self._halving.rung and self.cpu_seconds > most:
                break
            yield from self._make(pairs, self._take, how)
            if stop.is_set():
                self.interrupted = True
                return
        with how.lock:
            self._halving.leader = self.leader
        yield from self._check(how)
        self.interrupted = stop.is_set() and self.checked is None
        self.done = not self.interrupted

    def _make(self, pairs: Sequence[tuple[int, int]], take: Any, how: _How) -> Iterator[None]:
        """Make runs by cell and seed, but reuse stored runs and equal runs of other cells."""
        names = [cell.name for cell in self.cells]
        known = (
            how.shelf.find_runs((names[cell], seed) for cell, seed in pairs) if how.shelf else {}
        )
        with how.lock:
            for cell, seed in pairs:
                if run := known.get((names[cell], seed)):
                    take(cell, seed, run)
        missing = [at for at in pairs if (names[at[0]], at[1]) not in known]
        # A setting with a larger M₁ runs later, because it can often reuse the run of a smaller M₁.
        missing.sort(key=lambda at: (at[1] + self._ranks[at[0]], at[1]))

        def left() -> Iterator[tuple[tuple[int, int], Contender, int]]:
            for cell, seed in missing:
                if run := self._same(cell, seed):
                    self._keep(cell, seed, run, take, how)
                else:
                    yield (cell, seed), self.cells[cell].contender, seed

        for found in finished(self.problem, left(), self.budget, how.workers, how.signals):
            if found:
                (cell, seed), run = found
                self.cpu_seconds += run.end_seconds
                self.made += 1
                self._keep(cell, seed, run, take, how)
            yield

    def _keep(self, cell: int, seed: int, run: Improvements, take: Any, how: _How) -> None:
        with how.lock:
            take(cell, seed, run)
        if how.shelf:
            how.shelf.keep_run(self.cells[cell].name, seed, run)

    def _same(self, cell: int, seed: int) -> Improvements | None:
        """Return a run with a smaller M₁ that never restarted; it equals a run of this setting."""
        for other, most in self._smaller[cell]:
            run = self.runs[other].get(seed) or self._fresh.get(other, {}).get(seed)
            if run is not None and run.end_calls <= most:
                return run
        return None

    def _take(self, cell: int, seed: int, run: Improvements) -> None:
        self.runs[cell][seed] = run
        self._halving.alike = max(self._halving.alike, rounding([run]))
        (score,) = scores([run], self.budget.target, self.budget.axis).tolist()
        self._halving.take(cell, seed, tuple(score))

    def _check(self, how: _How) -> Iterator[None]:
        """Run the leader and the usual setting from fresh seeds."""
        leader, first = self._halving.leader, self.rungs[-1]
        if not self.check or leader is None or leader == self.usual:
            return
        both = leader, self.usual
        self._fresh = {cell: {} for cell in both}
        pairs = [(cell, first + i) for i in range(self.check) for cell in both]
        yield from self._make(pairs, self._take_fresh, how)
        if all(len(runs) == self.check for runs in self._fresh.values()):
            ahead, usual = ([*self._fresh[cell].values()] for cell in both)
            self.checked = checked(ahead, usual, self.budget)

    @property
    def checking(self) -> int:
        """Return the number of fresh runs that both cells have completed."""
        return min((len(runs) for runs in self._fresh.values()), default=0)

    def _take_fresh(self, cell: int, seed: int, run: Improvements) -> None:
        self._fresh[cell][seed] = run


def smaller_m1(contenders: Sequence[Contender]) -> list[list[tuple[int, int]]]:
    """Return, for each contender, those that differ only by a smaller M₁, in order of M₁."""
    first = [_level_1(contender) for contender in contenders]
    found = [
        [
            (other, theirs[1])
            for other, theirs in enumerate(first)
            if mine and theirs and theirs[0] == mine[0] and theirs[1] < mine[1]
        ]
        for mine in first
    ]
    return [sorted(others, key=lambda at: at[1]) for others in found]


def _level_1(contender: Contender) -> tuple[Any, int] | None:
    """Return a two-level search's levels without M₁, and its M₁; None for other methods."""
    if not isinstance(contender, Reinitialisation) or contender.schedule.n_levels != 2:
        return None
    below, top = contender.schedule.rows()
    return (below._replace(repeats=0), top), below.repeats


def checked(a: Sequence[Improvements], b: Sequence[Improvements], budget: Budget) -> Checked:
    """Compare fresh runs of the leader with as many runs of the usual setting."""
    target, axis = budget.target, budget.axis
    scored = np.concatenate([scores(runs, target, axis) for runs in (a, b)])
    found = places(scored, rounding([*a, *b]))
    chance = chance_below(found[: len(a)], found[len(a) :])
    of_a, of_b = (hits_of(runs, target, axis) for runs in (a, b))
    if not (of_a.successes or of_b.successes):
        return Checked(len(a), None, chance, chance.low > 0.5)
    ratio = ert_ratio(of_a, of_b)
    return Checked(len(a), ratio, chance, ratio.high < 1)


def affordable(
    problem: Any,
    contenders: Sequence[Contender],
    runs: float,
    seconds: float,
    workers: int,
) -> float:
    """Return the iterations per run that fit in a time limit.

    The limit is wall time. The speed of these contenders is measured briefly on this machine. The
    result is rounded down, so that another measurement usually gives the same number.
    """
    iterations = spent = 0.0
    for contender in contenders:
        contender.begin(problem, 0).further(problem, RunLimit("calls", 1))  # compiles the kernels
        began = time.perf_counter()
        run = contender.begin(problem, 0).further(problem, RunLimit("seconds", TRIED)).improvements
        spent += time.perf_counter() - began
        iterations += run.end_iterations
    work = seconds * workers / max(1.0, runs) * iterations / max(spent, 1e-9)
    return rounded_down(max(1.0, work))


def rounded_down(work: float) -> float:
    """Return the largest of 1, 1.5, 2, 3, 5, 7, 10, 15 … that is at most ``work``."""
    power = 10.0 ** math.floor(math.log10(work))
    return max(step * power for step in STEPS if step * power <= work * (1 + 1e-9))


def planned(cells: int, rungs: Sequence[int], check: int) -> float:
    """Return the approximate number of full-length runs in a tuning."""
    return 2.0 * cells * rungs[0] + 3.0 * rungs[-1] + 2.0 * check
