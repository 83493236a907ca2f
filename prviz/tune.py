"""Find k_1, M_1, α and sub-sets for a problem: try a grid of settings, and check the best."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from .checks import real_number, whole_number
from .custom.callables import of_functions
from .engine.kernels import Problem, n_variables
from .engine.schedule import BY_SEARCH, ENDLESS
from .experiments.runs.contender import Reinitialisation
from .experiments.runs.default_store import default_store
from .experiments.runs.identity import hash_of_problem, hash_of_runs, json_of_settings
from .experiments.runs.runner import Budget
from .experiments.runs.store import Shelf, Store
from .experiments.runs.workers import check_sendable, workers_of
from .experiments.statistics.fixed_target import hits_of
from .experiments.tuning.halving import RUNGS
from .experiments.tuning.tuner import CHECKED, Cell, Tuner, affordable, planned
from .figures.comparison.tuning_verdict import FULL, verdict
from .search.settings import ALL, K1, M1, check_names, make_schedule, size_of, target_cost
from .system.progress import ProgressBar, check_progress

SECONDS = 30.0
#: M_1 that no run reaches: partial reinitialisation without restarts.
NEVER = ENDLESS
SIZES = 5  # default number of k_1 values
SWEEPS = (1, 10, 100)  # default M_1, given as redraws of each variable per restart
USUAL = {"k1": K1, "m1": M1}


class Tuning(Tuner):
    """The result of :func:`tune`.

    ``best`` is the best setting. ``better`` is True if it is significantly better than the usual
    setting. ``words`` is the result as a sentence. Other attributes are ``cells``, ``runs``,
    ``dropped``, ``checked`` and ``interrupted``.

    Attributes
    ----------
    axes : mapping of str to sequence of str
        Labels along the axes of the grid, by axis.
    store : str, PathLike or None
        The file of finished runs; None if runs are not stored.
    store_failure : str
        The error message if runs could not be saved in the store, otherwise empty.
    """

    axes: Mapping[str, Sequence[str]] = MappingProxyType({})
    store: str | os.PathLike[str] | None = None
    store_failure = ""

    @property
    def words(self) -> str:
        """Return the result as a sentence."""
        return verdict(self)

    def __repr__(self) -> str:
        return f"<Tuning of {len(self.cells)} settings: {self.words}>"

    def figure(self, cost: str = "cost") -> Any:
        """Return a Plotly figure of the settings with their intervals, best first."""
        from .figures.comparison.tuning_settings import plot_settings, settings_info

        return plot_settings(settings_info(self), cost)

    def _repr_html_(self) -> str:
        from .figures.card import card

        if self.leader is None or self.best is None:
            return card(f"Tuning of {len(self.cells)} settings: no runs yet")
        best = ", ".join(f"{name} = {value}" for name, value in self.best.items())
        made = sum(len(runs) for runs in self.runs)
        rows = [("best", best), ("settings", len(self.cells)), ("runs", f"{made:,}")]
        alt = "Settings with intervals, the best one on top"
        return card(self.words, rows, self.figure, alt=alt)

    def hash(self, seeds: int | None = None) -> str:
        """Return a short hash of all runs, or of the first ``seeds`` seeds, without times.

        The same ``work`` gives the same runs on every machine. If ``seconds`` end a tuning, the
        number of runs depends on the machine; the seeds of the first rung are always run.
        """
        return hash_of_runs(
            (f"{self.cells[cell].name} {fresh}", seed, runs[seed])
            for fresh, of in ((False, enumerate(self.runs)), (True, sorted(self._fresh.items())))
            for cell, runs in of
            for seed in sorted(runs)
            if seeds is None or (seed < seeds and not fresh)
        )

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str = "Tuning",
        cost: str = "cost",
    ) -> str:
        """Return a report with the map as one HTML file, and write it to ``path``.

        Parameters
        ----------
        path : str or PathLike, optional
            Where to write the report.
        title, cost : str
            Title of the report, and name of the cost.

        Returns
        -------
        str
            The document.

        Raises
        ------
        ValueError
            There are no runs yet.
        """
        from .reports.page import written
        from .reports.tuning import tuning_report

        return written(tuning_report(self, title, cost), path)

    def to_frame(self) -> Any:
        """Return a DataFrame with one row per run; `fresh` marks runs of the check."""
        import pandas as pd

        axis, target = self.budget.axis, self.budget.target
        rows = []
        for fresh, of in ((False, enumerate(self.runs)), (True, self._fresh.items())):
            for cell, runs in of:
                times = hits_of([*runs.values()], target, axis).times if runs else ()
                for (seed, run), time in zip(runs.items(), times, strict=True):
                    best = run.best.min(initial=math.inf)
                    row = self.cells[cell].name, seed, fresh, float(time)
                    rows.append((*row, run.end(axis), run.end_seconds, best))
        columns = ["setting", "seed", "fresh", "hit", axis, "seconds", "best"]
        return pd.DataFrame(rows, columns=columns)


class Grid(NamedTuple):
    """The settings to try.

    Attributes
    ----------
    axes : dict of str to list of str
        Labels of the values of "k1", "m1", "alpha" and "subset". A label of M₁ may contain k₁, such
        as "10 N/k₁". Empty if only full restarts are tried.
    settings : dict of tuple of int to dict
        Arguments of :func:`prviz.run` for each cell of the grid. A key has one index per axis.
    """

    axes: dict[str, list[str]]
    settings: dict[tuple[int, ...], dict[str, Any]]


def grid(problem: Any, given: Mapping[str, Sequence[Any]] | None = None) -> Grid:
    """Return the settings of a problem, from the given values and the defaults.

    By default, k₁ has five values from 1 to N/2 with equal ratios. M₁ is N/k₁, 10 N/k₁, 100 N/k₁ or
    infinite. With a finite M₁, each variable is redrawn 1, 10 or 100 times per restart on average.

    Parameters
    ----------
    problem
    given : mapping of str to sequence
        ``k1`` and ``m1`` (whole numbers; ``math.inf`` for an M₁ without restarts), ``alpha`` and
        ``subset``. The defaults are α = 0 and random sub-sets. A k₁ of None means 1. A k₁ of "all",
        or of N with α = 0, adds no setting, because full restarts are always tried.
    """
    if not isinstance(given, Mapping | None):
        raise TypeError(f"A grid is a dictionary of lists of values, got {given!r}.")
    given = dict(given or {})
    if unknown := given.keys() - {"k1", "m1", "alpha", "subset"}:
        raise ValueError(f"A grid can have k1, m1, alpha and subset, got {sorted(unknown)[0]!r}.")
    for name, values in given.items():
        if isinstance(values, str) or not isinstance(values, Iterable) or not [*values]:
            raise ValueError(f"{name} must be a list of values to try, got {values!r}.")
    n = n_variables(problem)
    alphas = _once(float(real_number(alpha, "alpha")) for alpha in given.get("alpha", (0.0,)))
    k1 = _once(size_of(k, n) for k in given.get("k1", _sizes(n)) if not _is_all(k))
    k1 = [k for k in k1 if k < n or any(alphas)]
    subsets = _once(given.get("subset", ("random",)))
    rows = _once(map(_repeats, given["m1"])) if "m1" in given else [*SWEEPS, math.inf]
    shown = [_m_text(m, "m1" in given) for m in rows]
    settings: dict[tuple[int, ...], dict[str, Any]] = {}
    for i, k in enumerate(k1):
        for j, m in enumerate(rows):
            m1 = m if "m1" in given or m == math.inf else max(1, round(m * n / k))
            for a, alpha in enumerate(alphas):
                if k == n and alpha == 0:
                    continue  # these are full restarts, which are always tried
                for s, subset in enumerate(subsets):
                    each = {"k1": k, "m1": NEVER if m1 == math.inf else m1}
                    settings[i, j, a, s] = {**each, "alpha": alpha, "subset": subset}
    axes = {
        "k1": [str(k) for k in k1],
        "m1": shown,
        "alpha": [f"{alpha:g}" for alpha in alphas],
        "subset": subsets,
    }
    return Grid(axes if k1 else {}, settings)


def _once(values: Iterable[Any]) -> list[Any]:
    """Return the values in order, without duplicates, which would repeat a run."""
    return list(dict.fromkeys(values))


def _sizes(n: int) -> list[int]:
    most = max(1, n // 2)
    return sorted({round(k) for k in np.geomspace(1, most, SIZES)})


def _is_all(k1: Any) -> bool:
    return isinstance(k1, str) and k1 == ALL


def _repeats(value: Any) -> float:
    return math.inf if value == math.inf else whole_number(value, "m1")


def _m_text(m: float, absolute: bool) -> str:
    if m == math.inf:
        return "∞"
    return f"{m}" if absolute else f"{m} N/k₁" if m > 1 else "N/k₁"


def name_of(settings: Mapping[str, Any]) -> str:
    """Return settings as text: "k₁ = 2, M₁ = 1000"; default α and sub-sets are left out."""
    k1, m1 = settings.get("k1"), settings.get("m1")
    if _is_all(k1):
        return FULL
    if levels := settings.get("levels"):
        return ", ".join(f"{level.size or level.probability}×{level.repeats}" for level in levels)
    if settings.get("probability") is not None:
        parts = [f"p = {settings['probability']:g}"]
    else:
        parts = [f"k₁ = {K1 if k1 is None else k1}"]
    automatic = k1 == BY_SEARCH or (k1, m1, settings.get("probability")) == (None, None, None)
    m1 = M1 if m1 is None else m1
    if automatic:
        parts = ["auto"]
    else:
        parts.append("no restarts" if m1 >= NEVER else f"M₁ = {m1}")
    if alpha := settings.get("alpha"):
        parts.append(f"α = {alpha:.12g}")
    if (subset := settings.get("subset", "random")) != "random":
        parts.append(f"sub-sets {subset}")
    return ", ".join(parts)


def cells_of(
    problem: Any, tried: Grid, usual: Mapping[str, Any] | None = None
) -> tuple[list[Cell], int, int]:
    """Return all cells to run, and the indices of the usual setting and of full restarts."""
    n = n_variables(problem)
    if not isinstance(usual, Mapping | None):
        raise TypeError(f"usual must be a dictionary of settings, got {usual!r}.")
    check_names(usual or {}, "usual")
    usual = dict(usual or {**USUAL, "k1": min(USUAL["k1"], n)})
    contender = Reinitialisation(make_schedule(problem, **usual))
    cells = [
        Cell(name_of(each), each, Reinitialisation(make_schedule(problem, **each)), place)
        for place, each in tried.settings.items()
    ]
    restarts: dict[str, Any] = {"k1": ALL}
    full = Cell(FULL, restarts, Reinitialisation(make_schedule(problem, **restarts)))
    same = [i for i, cell in enumerate(cells) if cell.contender.settings == contender.settings]
    at = same[0] if same else len(cells)
    if not same and contender.settings != full.contender.settings:
        cells.append(Cell(name_of(usual), usual, contender))
    return [*cells, full], at, len(cells)


def tune(
    problem: Problem,
    grid: Mapping[str, Sequence[Any]] | None = None,
    *,
    usual: Mapping[str, Any] | None = None,
    target: float | None = None,
    work: int | None = None,
    seconds: float | None = None,
    rungs: Sequence[int] = RUNGS,
    check: int = CHECKED,
    workers: int | None = None,
    store: str | os.PathLike[str] | bool | None = True,
    callback: Callable[[Tuning], Any] | None = None,
    progress: bool | None = None,
) -> Tuning:
    """Find a setting of partial reinitialisation for a problem, and test it on fresh seeds.

    All settings run from five seeds with equal work. Settings that are significantly worse than the
    leader are dropped; the others continue to 10, 20 and 40 seeds. Then the leader is compared with
    the usual setting on 100 fresh seeds.

    >>> import prviz
    >>> problem = prviz.kmeans([[0.0], [2.0], [10.0], [11.0]], 2)
    >>> found = prviz.tune(problem, {"k1": [1], "m1": [2, 5]}, work=20, check=10, store=None)
    >>> [cell.name for cell in found.cells]
    ['k₁ = 1, M₁ = 2', 'k₁ = 1, M₁ = 5', 'k₁ = 1, M₁ = 100', 'full restarts']

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`.
    grid : mapping of str to sequence
        Values to try of ``k1``, ``m1``, ``alpha`` and ``subset``, in all combinations. The defaults
        are five k_1 from 1 to N/2; M_1 = N/k_1, 10 N/k_1, 100 N/k_1 and ``math.inf`` (no restarts);
        α = 0; random sub-sets. Full restarts, ``k1="all"``, are always tried.
    usual : mapping
        The baseline setting, as in :func:`prviz.run`; by default k_1 = 1, M_1 = 100, as in the
        paper's clustering. It is always tried and never dropped, like full restarts.
    target : float
        Target cost at which runs end. Settings are ranked by the work to reach the target. Settings
        that do not reach the target come last, ranked by best cost.
    work : int
        Iterations of the local optimiser that each run may use.
    seconds : float
        Approximate time limit in seconds (30), from which ``work`` is derived if it is not given.
    rungs : sequence of int
        Numbers of seeds, ascending. After each of these numbers, worse settings are dropped.
    check : int
        Number of fresh seeds that test the best setting; 0 skips this check.
    workers : int
        Number of parallel runs, by default one per core; see :func:`prviz.compare`.
    store : str, PathLike or bool
        A file of finished runs, as in :func:`prviz.compare`. If the process is killed, the same
        call reuses the finished runs. True, the default, means ``tuning.sqlite`` in the user's
        cache, but runs of wrapped problems are not stored. None or False stores no runs. The result
        has the path as its attribute ``store``.
    callback : callable
        Called with the :class:`Tuning` so far after each run. If it returns True, the tuning stops.
    progress : bool
        Whether to show a progress bar. By default, it is shown if standard error is a terminal,
        and in a notebook.

    Returns
    -------
    Tuning
        After a stop by the callback or Ctrl-C, it has the best setting so far.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    check_sendable(problem)
    check_progress(progress)
    tried = _grid(problem, grid)
    cells, at, full = cells_of(problem, tried, usual)
    rungs, check = _rungs(rungs), _fresh(check)
    total = _positive(SECONDS if seconds is None and work is None else seconds, "seconds")
    goal = target_cost(target)
    pool = workers_of(workers)

    if store is True:
        store = None if of_functions(problem) else default_store()
    elif store is False:
        store = None
    with contextlib.ExitStack() as stack:
        kept = None if store is None else stack.enter_context(contextlib.closing(Store(store)))
        budget = Budget("iterations", _positive(work, "work"), goal)
        found = Tuning(problem, cells, at, full, budget, rungs, check)
        found.axes, found.store = tried.axes, store
        if work is None:
            each = work_within(found, total, pool.number, kept)
            found.budget = budget = budget._replace(total=each)
        contenders = {cell.name: cell.contender for cell in cells}
        shelf = Shelf(kept, problem, contenders, budget, pool) if kept is not None else None
        bar = ProgressBar(_progress_text, _share_done, title="tune: ", shown=progress)
        stack.enter_context(contextlib.closing(bar))
        _collect(found, found.steps(pool.number, shelf, seconds=total), callback, bar)
        found.store_failure = shelf.failure if shelf else ""
    return found


def work_within(found: Tuner, seconds: float, workers: int, store: Store | None = None) -> float:
    """Return the number of iterations per run that fit in a time limit.

    A store saves this number, so that a repeated tuning has the same runs.
    """

    def paced() -> float:
        runs = planned(len(found.cells), found.rungs, found.check)
        some = [found.cells[cell].contender for cell in (found.usual, found.full, 0)]
        return affordable(found.problem, some, runs, seconds, workers)

    if store is None:
        return paced()
    names = [cell.name for cell in found.cells]
    goal, problem = found.budget.target, hash_of_problem(found.problem)
    asked = [problem, names, goal, seconds, found.rungs, found.check, workers]
    return store.remembered(json_of_settings({"tune": asked}), paced)


def _collect(
    found: Tuning,
    steps: Generator[None, None, None],
    callback: Callable[[Tuning], Any] | None,
    bar: ProgressBar,
) -> None:
    """Run the steps of a tuning until they end or the user stops it."""
    try:
        with contextlib.closing(steps):
            for _ in steps:
                bar(found)
                if callback is not None and callback(found) is True:
                    found.interrupted = True
                    return
        bar(found)
    except KeyboardInterrupt:
        found.interrupted = True


def _progress_text(found: Tuning) -> str:
    checking = f", check {found.checking} of {found.check}" if found.checking else ""
    return f"{found.rungs[found.rung]} seeds, {len(found.living)} settings left{checking}"


def _share_done(found: Tuning) -> float:
    """Return the share of runs that are done, assuming that no more settings are dropped."""
    if found.done:
        return 1.0
    done = sum(map(len, found.runs)) + sum(map(len, found.fresh.values()))
    left = sum(found.rungs[-1] - len(found.runs[cell]) for cell in found.living)
    if found.fresh:
        left = 0  # the last rung is finished, or the time is used up
    return done / (done + left + 2 * (found.check - found.checking))


_grid = grid  # for tune(), where ``grid`` is a parameter


def _rungs(rungs: Sequence[int]) -> tuple[int, ...]:
    found = tuple(whole_number(rung, "a rung") for rung in rungs)
    if not found or found[0] < 2 or any(b - a < 2 for a, b in itertools.pairwise(found)):
        raise ValueError(
            "rungs must be increasing numbers of seeds, at least 2, each at least 2 "
            "more than the one before."
        )
    return found


def _fresh(check: Any) -> int:
    if (n := whole_number(check, "check")) < 0 or n == 1:
        raise ValueError(f"check must be 0, or at least 2 seeds, got {n}.")
    return n


def _positive(value: Any, name: str) -> float:
    if value is None:
        return math.inf
    if not 0 < (number := float(real_number(value, name))) < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {value}.")
    return number
