"""Compare methods (contenders) on one problem from many seeds, with equal work."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .checks import real_number, whole_number
from .engine.kernels import Problem
from .experiments.runs.contender import Contender, Reinitialisation
from .experiments.runs.identity import hash_of_runs
from .experiments.runs.improvements import AXES, Improvements, check_axis, rounding
from .experiments.runs.runner import Budget, Wave, waves
from .experiments.runs.store import BATCH, Shelf, Store
from .experiments.runs.workers import check_sendable, workers_of
from .experiments.statistics.crossover import Crossover, crossover
from .experiments.statistics.fixed_budget import BudgetCurve, budget_curve, costs_at, frontier
from .experiments.statistics.fixed_target import ERT, Hits, ert, hits_of
from .experiments.statistics.pairwise import Chance, Ratio, chance_below, ert_ratio
from .experiments.statistics.wording import UNITS, amount, between, signed, span
from .search.settings import check_names, make_schedule, target_cost
from .system.progress import ProgressBar, check_progress


class Comparison:
    """Runs of several contenders on one problem.

    Attributes
    ----------
    problem
    contenders : dict of str to Contender
    seeds : list of int
        The seeds, the same for all contenders. Runs with equal seeds are not paired samples.
    runs : dict of str to list of Improvements
        By contender, in the order of the seeds.
    axis : {"iterations", "calls", "seconds"}
        The unit of the budget.
    target : float or None
        The target cost: a run ended when it reached this cost.
    interrupted : bool
        True if the comparison stopped before the budget was used. Results are valid up to the work
        that all runs have done (:meth:`frontier`).
    timed : bool
        False if CPU seconds are not comparable: more runs than cores were active, the runs used a
        cluster, or stored runs come from another processor.
    stored : int
        Number of runs that came from the store.
    store_failure : str
        The error message if runs could not be saved in the store, otherwise empty.
    """

    def __init__(
        self,
        contenders: dict[str, Contender],
        axis: str,
        target: float | None,
        problem: Any = None,
    ):
        self.problem = problem
        self.contenders = contenders
        self.axis, self.target = axis, target
        self.seeds: list[int] = []
        self.runs: dict[str, list[Improvements]] = {name: [] for name in contenders}
        self.interrupted = False
        self.timed = True
        self.store_failure = ""
        self._known: frozenset[tuple[str, int]] = frozenset()

    @property
    def stored(self) -> int:
        return sum((name, seed) in self._known for name in self.runs for seed in self.seeds)

    def __repr__(self) -> str:
        names = ", ".join(self.contenders)
        if not self.seeds:
            return f"<Comparison of {names}: no runs yet>"
        axis = self.axis if self.axis in self.axes else "calls"
        last = frontier([run for name in self.runs for run in self._marked_over(name)], axis)
        curves = {name: budget_curve(self._marked_over(name), [last], axis) for name in self.runs}
        best = ", ".join(f"{name} {signed(each.median[0])}" for name, each in curves.items())
        after = f"{amount(last)} {UNITS[axis]}"
        return f"<Comparison: median best cost {best} after {after}; n = {len(self.seeds)} each>"

    def take(self, wave: Wave) -> None:
        """Append the runs of a batch, in their present state, to the runs of earlier batches.

        A later batch is added only when it has used its budget, because its unfinished runs would
        lower the frontier.
        """
        kept = [seed for seed in self.seeds if seed not in {*wave.seeds}]
        if kept and not wave.last:
            return
        for name, runs in wave.runs.items():
            self.runs[name] = self.runs[name][: len(kept)] + runs
        self.seeds = kept + wave.seeds

    def _of(self, name: str) -> list[Improvements]:
        if name not in self.runs:
            raise ValueError(f"Unknown contender {name!r}; there are: {', '.join(self.runs)}.")
        return self.runs[name]

    def _axis(self, axis: str | None) -> str:
        axis = check_axis(self.axis if axis is None else axis)
        if axis == "seconds" and not self.timed:
            raise ValueError(
                "CPU seconds are not comparable: more runs than cores were active at once, or "
                "the runs come from different processors. Compare iterations, or run everything "
                "on this machine with fewer workers and no store."
            )
        check_alike(self.contenders, axis)
        return axis

    @property
    def axes(self) -> list[str]:
        """Return the units of work in which these runs can be compared."""
        alike = len({contender.iteration for contender in self.contenders.values()}) == 1
        return [axis for axis in AXES if (self.timed if axis == "seconds" else alike)]

    def frontier(self, axis: str | None = None) -> float:
        """Return the least work that any run has done; 0 without runs."""
        axis = self._axis(axis)
        if not self.seeds:
            return 0.0
        return frontier([run for name in self.runs for run in self._marked_over(name)], axis)

    def _marked_over(self, name: str) -> list[Improvements]:
        """Return a contender's runs; mark runs that reached the target as unable to continue."""
        goal = -math.inf if self.target is None else self.target
        return [
            run._replace(over=run.over or run.best.min(initial=math.inf) <= goal)
            for run in self._of(name)
        ]

    def curve(self, name: str, works: Any = None, axis: str | None = None) -> BudgetCurve:
        """Return the best cost against work: the median with its interval, and quartiles."""
        return budget_curve(self._marked_over(name), works, self._axis(axis))

    def hits(self, name: str, target: float | None = None, axis: str | None = None) -> Hits:
        """Return the work at which each run reached a cost, by default the target."""
        goal = self.target if target is None else target
        if goal is None:
            raise ValueError("Pass a target: the comparison has none.")
        return hits_of(self._of(name), goal, self._axis(axis))

    def ert(self, name: str, target: float | None = None, axis: str | None = None) -> ERT:
        """Return the expected running time until a cost is reached, failed runs included."""
        return ert(self.hits(name, target, axis))

    def ert_ratio(
        self, a: str, b: str, target: float | None = None, axis: str | None = None
    ) -> Ratio:
        """Return A's expected running time until a cost is reached, divided by B's."""
        ratio = ert_ratio(self.hits(a, target, axis), self.hits(b, target, axis))
        return ratio._replace(names=(a, b))

    def chance(self, a: str, b: str, axis: str | None = None) -> Chance:
        """Return the probability that a run of A is below a run of B at the frontier.

        Ties count one half. If the interval includes 0.5, the runs show no clear difference: use
        more seeds.
        """
        last = self.frontier(axis)
        of_a, of_b = (
            costs_at(self._marked_over(name), last, self._axis(axis))[:, 0] for name in (a, b)
        )
        return chance_below(of_a, of_b, alike=self._rounding())._replace(names=(a, b))

    def crossover(self, a: str, b: str, axis: str | None = None) -> Crossover:
        """Return the work from which A's median stays below B's median."""
        return crossover(
            self._marked_over(a),
            self._marked_over(b),
            axis=self._axis(axis),
            alike=self._rounding(),
        )._replace(names=(a, b))

    def hash(self) -> str:
        """Return a short hash of the runs up to the frontier, without the seconds.

        If all contenders are searches of prviz, a comparison with ``work=frontier("iterations")``
        has the same hash on every machine.
        """
        each = [
            (n, s, run) for n in self.runs for s, run in zip(self.seeds, self.runs[n], strict=True)
        ]
        return hash_of_runs(each, self.frontier("iterations"))

    def figure(self, best_known: float | None = None, axis: str | None = None) -> Any:
        """Return a Plotly figure of costs and solved shares against work, with intervals."""
        from .figures.comparison.race import plot_race, race_info

        return plot_race(race_info(self, best_known, axis))

    @property
    def words(self) -> str:
        """Return a line for each pair of contenders: which one is ahead, and how sure that is.

        The medians decide which contender is ahead. The line also has the probability of
        :meth:`chance` with its 95 % interval. If the interval includes 50 %, the line says that
        the runs show no clear difference.
        """
        if not self.seeds:
            return ""
        from .figures.comparison.race import race_info
        from .figures.comparison.verdict import verdicts

        return "\n".join(verdicts(self, race_info(self, axis=self._usual_axis, sure=False)))

    @property
    def _usual_axis(self) -> str:
        """Return the unit of the budget, or another unit if CPU seconds are not comparable."""
        return self.axis if self.axis in self.axes else self.axes[0]

    def _repr_html_(self) -> str:
        from .figures.card import card

        names, n = ", ".join(self.contenders), len(self.seeds)
        if not n:
            return card(f"Comparison of {names}: no runs yet")
        unit = UNITS[self.axis]
        title = f"{names}: n = {n} runs each, up to {amount(self.frontier())} {unit}"
        head = ["", "best, median [95 %]"]
        if self.target is not None:
            head += ["solved", f"{unit} to the target [95 %]"]
        rows = []
        for name in self.contenders:
            last = self.curve(name, [self.frontier()])
            middle, *ends = (float(v[0]) for v in (last.median, last.low, last.high))
            row = [name, f"{signed(middle)} [{span(*map(signed, ends))}]"]
            if self.target is not None:
                took = self.ert(name)
                row += [f"{took.successes} of {took.n}"]
                row += [f"{amount(took.work)} {between(took.low, took.high)}"]
            rows.append(row)
        return card(title, rows, self.figure, head=head, alt="Best costs against work")

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str = "Comparison",
        best_known: float | None = None,
        axis: str | None = None,
        cost: str = "cost",
        iteration: str = "iteration",
    ) -> str:
        """Return a report with figures as one HTML file, and write it to ``path``.

        It contains settings, seeds, hashes, the meaning of each band, versions, the processor, and
        cases where partial reinitialisation loses.

        Parameters
        ----------
        path : str or PathLike, optional
            Where to write it.
        title : str
        best_known : float, optional
            Lowest known cost; gaps are relative to it.
        axis : {"iterations", "calls", "seconds"}, optional
            Axis of the first charts; by default, the unit of the budget.
        cost, iteration : str
            Names of the cost and of an iteration, such as "WCSS" and "epoch".

        Returns
        -------
        str
            The document.

        Raises
        ------
        ValueError
            There are no runs yet.
        """
        from .reports.comparison import comparison_report
        from .reports.page import written

        text = comparison_report(self, title, best_known, axis, cost, iteration)
        return written(text, path)

    def _rounding(self) -> float:
        """Return the rounding error of costs."""
        return rounding(run for runs in self.runs.values() for run in runs)

    def to_frame(self) -> Any:
        """Return all improvements of all runs as a DataFrame; each run's last row is its end."""
        import pandas as pd

        columns = "calls", "iterations", "seconds", "best"
        rows = []
        for name, runs in self.runs.items():
            for seed, run in zip(self.seeds, runs, strict=True):
                improvements = zip(*(getattr(run, column) for column in columns), strict=True)
                end = (
                    run.end_calls,
                    run.end_iterations,
                    run.end_seconds,
                    run.best.min(initial=math.inf),
                )
                rows += [(name, seed, *row) for row in (*improvements, end)]
        return pd.DataFrame(rows, columns=["contender", "seed", *columns])

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write :meth:`to_frame` as comma-separated values."""
        self.to_frame().to_csv(path, index=False)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write :meth:`to_frame` as Parquet; needs pyarrow."""
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise ImportError(
                "Parquet files need pyarrow: `pip install pyarrow`, or use to_csv."
            ) from None
        self.to_frame().to_parquet(path, index=False, engine="pyarrow")


def compare(
    problem: Problem,
    contenders: Mapping[str, Mapping[str, Any] | Contender],
    *,
    seeds: int | Iterable[int] = 100,
    work: float | None = None,
    calls: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    workers: int | None = None,
    store: str | os.PathLike[str] | None = None,
    callback: Callable[[Comparison], Any] | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Run contenders on one problem from many seeds, with equal budgets.

    >>> import prviz
    >>> problem = prviz.kmeans([[0.0], [2.0], [10.0], [11.0]], 2)
    >>> contenders = {"partial": {"k1": 1}, "full": {"k1": "all"}}
    >>> both = prviz.compare(problem, contenders, seeds=3, calls=4)
    >>> len(both.seeds), both.frontier("calls")
    (3, 4.0)

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`.
    contenders : mapping of str to mapping or Contender
        For each name, settings of :func:`prviz.run` (``k1``, ``m1``, ``alpha``, ``probability``,
        ``subset`` or ``levels``), or another method such as ``prviz.baselines.KMeansPlusPlus()``.
        ``k1="all"`` means full restarts.
    seeds : int or iterable of int
        Number of seeds from 0, or a list of seeds. Each run is equal to a run of :func:`prviz.run`.
    work, calls, seconds : float
        Give one of these as a budget of each run: iterations of the local optimiser, its calls, or
        CPU seconds. The last call is always finished. Contenders with different kinds of iterations
        can only be compared by seconds.
    target : float
        A run ends once its best cost is at most this.
    workers : int
        Number of parallel runs, by default the number of cores. Runs use threads, or the backend of
        ``joblib.parallel_config``: processes, or a Dask cluster. With a budget in ``work`` or
        ``calls``, ``workers`` changes only the seconds in the results.
    store : str or PathLike
        A file that caches finished runs, created if it does not exist. With a store, a few seeds
        run at a time, and runs are saved when their budget is used up. Several processes may share
        the file.
    callback : callable
        Called several times a second with the :class:`Comparison` so far. If it returns True, the
        comparison stops.
    progress : bool
        Whether to show a progress bar. By default, it is shown if standard error is a terminal,
        and in a notebook.

    Returns
    -------
    Comparison
        After a stop by the callback or Ctrl-C, it covers the work that all runs have done.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    runners = _runners(problem, contenders)
    budget = _budget(work, calls, seconds, target)
    check_alike(runners, budget.axis)
    chosen = _seeds(seeds)
    if workers is not None and (workers := whole_number(workers, "workers")) < 1:
        raise ValueError(f"workers must be at least 1, got {workers}.")
    pool = workers_of(workers)
    check_sendable(problem)
    check_progress(progress)

    found = Comparison(runners, budget.axis, target, problem)
    found.timed = pool.timed
    planned = problem, runners, chosen, budget, pool.number
    bar = ProgressBar(
        lambda _: _progress_text(found),
        lambda wave: _share_done(found, wave, len(chosen), budget),
        title="compare: ",
        shown=progress,
    )
    if store is None:
        with contextlib.closing(bar):
            return _collect(found, chosen, waves(*planned), callback, bar)
    with contextlib.closing(Store(store)) as opened, contextlib.closing(bar):
        shelf = Shelf(opened, problem, runners, budget, pool)
        known = shelf.find(chosen)
        found.timed, found._known = shelf.timed, frozenset(known)
        kept = shelf.keep(waves(*planned, known, BATCH * pool.number))
        _collect(found, chosen, kept, callback, bar)
        found.store_failure = shelf.failure
        return found


def _collect(
    found: Comparison,
    seeds: list[int],
    runs: Iterable[Wave | None],
    callback: Callable[[Comparison], Any] | None,
    bar: ProgressBar,
) -> Comparison:
    """Add waves of runs to a comparison until all are done or the user stops it."""
    try:
        for wave in runs:
            if wave:
                found.take(wave)
                bar(wave)
            if callback is not None and callback(found) is True:
                found.interrupted = found.seeds != seeds or not (wave and wave.last)
                break
    except KeyboardInterrupt:
        found.interrupted = True
    return found


def _progress_text(found: Comparison) -> str:
    work = found.frontier() if found.seeds else 0.0
    return f"{len(found.seeds)} seeds, {amount(work)} {found.axis}"


def _share_done(found: Comparison, wave: Wave, seeds: int, budget: Budget) -> float:
    """Return the used share of all budgets; ``wave`` has the latest runs."""
    before = len({*found.seeds} - {*wave.seeds}) * len(wave.runs)
    now = sum(_share_used(run, budget) for runs in wave.runs.values() for run in runs)
    return (before + now) / (seeds * len(wave.runs))


def _share_used(run: Improvements, budget: Budget) -> float:
    if run.over or run.best.min(initial=math.inf) <= budget.target:
        return 1.0
    return min(1.0, run.end(budget.axis) / budget.total)


def check_alike(contenders: Mapping[str, Contender], axis: str) -> None:
    """Raise a ValueError if contenders count different operations in the unit ``axis``."""
    counted = {name: contender.iteration for name, contender in contenders.items()}
    if axis != "seconds" and len({*counted.values()}) > 1:
        own = "iterations of the local optimiser"
        each = ", ".join(f"{name!r} {what or own}" for name, what in counted.items())
        raise ValueError(
            f"Use seconds, because an iteration differs between the contenders: {each}."
        )


def _contender(problem: Any, name: str, settings: Mapping[str, Any] | Contender) -> Contender:
    if not isinstance(settings, Mapping):
        if isinstance(settings, type) or not hasattr(settings, "begin"):
            raise TypeError(
                "A contender must be a mapping of settings, or a method such as "
                f"prviz.baselines.KMeansPlusPlus(), got {settings!r}."
            )
        return settings
    check_names(settings, f"contenders[{name!r}]")
    try:
        return Reinitialisation(make_schedule(problem, **settings))
    except (TypeError, ValueError) as error:
        raise type(error)(f"contenders[{name!r}]: {error}") from None


def _runners(problem: Any, contenders: Any) -> dict[str, Any]:
    if not isinstance(contenders, Mapping) or not all(isinstance(name, str) for name in contenders):
        raise TypeError("contenders must be a dictionary with names as keys.")
    if not contenders:
        raise ValueError("Give at least one contender.")
    return {name: _contender(problem, name, given) for name, given in contenders.items()}


def _budget(work: Any, calls: Any, seconds: Any, target: Any) -> Budget:
    given = {"iterations": work, "calls": calls, "seconds": seconds}
    named = {axis: value for axis, value in given.items() if value is not None}
    if len(named) != 1:
        raise ValueError("Give one budget: work (iterations), calls or seconds.")
    ((axis, value),) = named.items()
    if not 0 < (total := real_number(value, "work" if axis == "iterations" else axis)) < math.inf:
        raise ValueError(f"A budget must be positive and finite, got {total}.")
    return Budget(axis, total, target_cost(target))


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    chosen = (
        [whole_number(seed, "a seed") for seed in seeds]
        if isinstance(seeds, Iterable)
        else list(range(whole_number(seeds, "seeds")))
    )
    if not chosen or len({*chosen}) < len(chosen) or min(chosen) < 0:
        raise ValueError("seeds must be a number of at least 1, or distinct seeds of at least 0.")
    return chosen
