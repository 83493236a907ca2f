"""Run a search, continue it, save it and load it."""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from .. import display
from ..checks import whole_number
from ..engine.algorithm import Limits
from ..engine.dispatch import arrays_of, interpreted
from ..engine.kernels import Problem, allocate
from ..engine.schedule import Level, Schedule
from ..engine.trace import Recorder, Trace, load_trace
from .chosen import chosen_sizes
from .parallel import ParallelSearch
from .patience import Patience
from .saved import add_snapshot, hash_of_arrays, read_snapshot
from .settings import budget, make_schedule, positive_or_infinite, target_cost
from .traced_search import Snapshot, TracedSearch

STEP_SECONDS = 0.05
MOST_WORKERS = 1024


class Progress(NamedTuple):
    """The argument of a callback.

    Attributes
    ----------
    calls : int
        Number of calls so far.
    best_cost : float
        Lowest cost so far.
    seconds : float
        CPU seconds so far.
    """

    calls: int
    best_cost: float
    seconds: float


class Run:
    """A finished search.

    Attributes
    ----------
    problem, levels, seed, workers
        The settings. Together with ``calls``, they repeat the run exactly.
    best_cost : float
    best_state
        The best configuration; for k-means it has ``centers`` and ``labels``.
    trace : Trace
        One row per optimiser call. The calls of several workers alternate.
    interrupted : bool
        Whether Ctrl-C stopped the run before its budget was used up.
    failure : str
        The error that ended the run early; empty if there was none.
    """

    def __init__(self, search: TracedSearch | ParallelSearch, interrupted: bool = False):
        self.problem = search.problem
        self.levels = search.schedule.levels()
        self.seed = search.seed
        self.workers = search.workers
        self.trace: Trace = search.trace()
        self.best_cost = search.search.best_cost if len(self.trace) else math.inf
        self.best_state: Any = search.best_state() if len(self.trace) else None
        self.interrupted = interrupted
        self.failure = search.failure
        self._snapshot: Snapshot | None = None
        self._repeatable = False
        if isinstance(search, TracedSearch) and not search.failure:
            self._repeatable = interrupted and not search.given
            if not search.cut:
                self._snapshot = search.snapshot()

    @property
    def calls(self) -> int:
        """Return the number of optimiser calls. The same seed and calls give the same trace."""
        return len(self.trace)

    @property
    def seconds(self) -> float:
        """Return the CPU seconds of the search, or of the slowest of several workers."""
        return float(self.trace.seconds[-1]) if self.calls else 0.0

    def __repr__(self) -> str:
        several = f"{self.workers} workers, " if self.workers > 1 else ""
        return (
            f"<Run: best cost {self.best_cost:.10g} after {self.calls} calls, "
            f"{self.seconds:.2f} s, {several}seed {self.seed}, trace {self.trace.hash()}>"
        )

    @property
    def chosen(self) -> Any:
        """Return the numbers of redrawn variables, and shares of kept calls, as a DataFrame.

        For calls 1–10, 11–100, 101–1000 and so on, it has one row for each number of variables, and
        one row for restarts.

        >>> import prviz
        >>> problem = prviz.kmeans([[0.0], [2.0], [10.0]], 2)
        >>> prviz.run(problem, k1="auto", calls=10).chosen.columns.tolist()
        ['first', 'last', 'redraw', 'k', 'calls', 'iterations', 'kept']
        """
        return chosen_sizes(self.trace)

    def to_frame(self) -> Any:
        """Return the trace as a pandas DataFrame, one row per call."""
        return self.trace.to_frame()

    def figure(self) -> Any:
        """Return best cost against optimiser calls, as a Plotly figure."""
        return display.show("figure", self)

    def play(self, data: Any = None) -> Any:
        """Play the run in a notebook, as :func:`prviz.play` does.

        Raises
        ------
        ValueError
            The run had several workers, but the player shows only one search.
        """
        if self.workers > 1:
            raise ValueError(
                "The player shows one search, and this run had several workers. Run again with "
                "workers=1."
            )
        return display.show("play", self, data)

    def more(
        self,
        *,
        seconds: float | None = None,
        calls: int | None = None,
        iterations: int | None = None,
        target: float | None = None,
        patience: int | None = None,
        tol: float = 0.0,
        callback: Callable[[Progress], Any] | None = None,
    ) -> Run:
        """Continue the search and return a new run.

        If Ctrl-C stopped the run during a call, its earlier calls are computed again first.

        >>> import prviz
        >>> problem = prviz.kmeans([[0.0], [2.0], [10.0]], 2)
        >>> short = prviz.run(problem, m1=2, calls=4)
        >>> short.more(calls=3).trace.hash() == prviz.run(problem, m1=2, calls=7).trace.hash()
        True

        Parameters
        ----------
        seconds, calls, iterations, target, patience, tol, callback
            The additional budget; see :func:`prviz.run`.

        Returns
        -------
        Run
            A run with the earlier and the new calls. Its trace equals that of one run with the
            whole budget.

        Raises
        ------
        ValueError
            The run had several workers, diverged, or was stopped during a call by a limit such as
            ``maxfev``.
        """
        schedule = make_schedule(self.problem, levels=self.levels)
        if self._snapshot is not None:
            search = _resumed(self.problem, schedule, self.seed, self.trace, self._snapshot)
        elif self._repeatable:
            search = _repeated(self.problem, schedule, self.seed, self.calls)
        else:
            several = f"it had {self.workers} workers" if self.workers > 1 else ""
            why = self.failure or several or "it was stopped within a call"
            raise ValueError(f"This run cannot continue: {why}. Run it again with a larger budget.")
        limits = _limits(schedule, seconds, calls, iterations, target, patience)
        limits = Limits(
            self.calls + limits.calls,
            self.seconds + limits.seconds,
            search.iterations + limits.iterations,
            limits.target,
        )
        waiting = Patience(positive_or_infinite(patience, "patience"), tol)
        waiting.add(self.trace.rows)
        return _finish(search, limits, callback, waiting)

    @classmethod
    def load(cls, path: str | os.PathLike[str], problem: Problem) -> Run:
        """Read a run written by :meth:`save`.

        Parameters
        ----------
        path
            The ``.npz`` file.
        problem
            The problem of the run, because the file does not contain its data.

        Raises
        ------
        ValueError
            The file is not a saved run, or it is a run of another problem, of other data or of
            several workers.
        """
        trace, about = load_trace(path)
        if (workers := about.get("workers", 1)) > 1:
            raise ValueError(
                f"{path} is a run of {workers} workers, which cannot be continued. Read its trace "
                "with prviz.load_trace."
            )
        levels = [Level(**level) for level in about.get("levels", ())]
        schedule = make_schedule(problem, levels=levels)
        repeated = about.get("repeated", False)
        snapshot = None if repeated else read_snapshot(path, problem, schedule)
        if about.get("data_hash") not in (None, hash_of_arrays(problem)):  # None: an older file
            raise ValueError(f"{path} is a run on other data: load it with the data of that run.")
        if snapshot is None:
            return cls(_repeated(problem, schedule, about["seed"], about["calls"]))
        return cls(_resumed(problem, schedule, about["seed"], trace, snapshot))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the trace, its settings and the final state to a ``.npz`` file.

        :func:`prviz.load_trace` reads only the trace. :meth:`load` reads the whole run; if Ctrl-C
        stopped the run during a call, it computes the calls again.
        """
        levels = [level._asdict() for level in self.levels]
        about = {"seed": self.seed, "calls": self.calls, "levels": levels}
        about["data_hash"] = hash_of_arrays(self.problem)
        if self.workers > 1:
            about["workers"] = self.workers
        if self._snapshot is None and self._repeatable:
            about["repeated"] = True
        self.trace.save(path, **about)
        if self._snapshot is not None:
            add_snapshot(path, self._snapshot)

    def _repr_html_(self) -> str:
        return display.show("_repr_html_", self)


def run(
    problem: Problem,
    k1: int | Literal["all", "auto"] | None = None,
    m1: float | None = None,
    alpha: float = 0.0,
    *,
    probability: float | None = None,
    subset: str = "random",
    seed: int = 0,
    seconds: float | None = None,
    calls: int | None = None,
    iterations: int | None = None,
    target: float | None = None,
    patience: int | None = None,
    tol: float = 0.0,
    start: Any = None,
    levels: Sequence[Level] | None = None,
    callback: Callable[[Progress], Any] | None = None,
    workers: int = 1,
) -> Run:
    """Search ``problem`` by partial reinitialisation.

    >>> import prviz
    >>> found = prviz.run(prviz.kmeans([[0.0], [2.0], [10.0]], 2), m1=2, calls=4)
    >>> found.best_cost, found.best_state.labels.tolist()
    (2.0, [0, 0, 1])

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`.
    k1 : int, "all", "auto" or None
        k_1, the number of variables to redraw at a time. "all" redraws every variable: each call is
        a full restart, the standard method. With "auto" the search chooses k_1 for each call, and
        when to restart, from its improvements so far; see :attr:`Run.chosen`. "all" and "auto"
        ignore ``m1``. None means "auto", or 1 if ``m1`` is given.
    m1 : int or math.inf
        M_1, the number of partial redraws per full restart. Infinite means no restarts. None means
        100 if ``k1`` is a number.
    alpha : float
        α of equation (1), the share of the old value that a redrawn variable keeps. 0 means a full
        redraw. If the search chooses k_1 and ``alpha`` is 0, half of its partial redraws use ½,
        provided that the problem allows α > 0.
    probability : float
        Instead of ``k1``: redraw each variable independently with this probability.
    subset : str
        How variables are chosen: "random", as in the paper, or a heuristic of the problem. For an
        unknown name, the error message lists the heuristics. ``docs/guide/levels.md`` describes
        them.
    seed : int
        The same seed and the same number of calls give the same trace.
    seconds : float
        Budget in CPU seconds. The default is 2 if no budget is given and the schedule has no end.
    calls : int
        Budget in optimiser calls.
    iterations : int
        Budget in iterations of the local optimiser. A call that has begun runs to its end. If you
        give several budgets, the run ends as soon as one of them is used up.
    target : float
        The run ends once its best cost is at most this.
    patience : int
        The run ends after this many iterations of the local optimiser without an improvement.
    tol : float
        For ``patience``, a cost is an improvement if it is lower by more than this fraction.
    start : Run, or a state of the same problem
        The state at which the first call begins, or a run whose best state is this state. The
        data may differ from the data of that run, if they have the same shape. The default is a
        random state.
    levels : sequence of Level
        A hierarchy, level 1 first, instead of the settings above.
    callback : callable
        Function that gets a :class:`Progress` several times a second. Return True to stop the run.
    workers : int
        Number of searches that run in parallel threads, each with its own seed. After every 8 to
        512 calls of each search, all searches continue from the best result. Results depend on
        ``workers``.
        ``calls`` and ``iterations`` count all searches, with ``calls`` rounded up to a multiple of
        ``workers``. ``iterations`` and ``target`` can end a run only when searches share their
        best. ``seconds`` (of each search) can end a run earlier, after equal numbers of calls.

    Returns
    -------
    Run
        The finished search. Ctrl-C ends a search early and keeps the result so far. An
        optimiser that diverges has the same effect, and also causes a warning.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    schedule = make_schedule(problem, k1, m1, alpha, levels, probability, subset)
    several = whole_number(workers, "workers")
    if several < 1:
        raise ValueError(f"workers must be at least 1, got {several}.")
    if several > MOST_WORKERS:
        raise ValueError(f"workers must be at most {MOST_WORKERS}, got {several}.")
    if several > 1 and (patience is not None or start is not None):
        raise ValueError("patience and start need workers=1: leave them out, or omit workers.")
    limits = _limits(schedule, seconds, calls, iterations, target, patience)
    waiting = Patience(positive_or_infinite(patience, "patience"), tol)
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be a function, got {callback!r}.")
    if several > 1:
        return _finish(ParallelSearch(problem, schedule, seed, several), limits, callback, waiting)
    search = TracedSearch(problem, schedule, seed)
    if start is not None:
        search.begin_at(_state(start, problem))
        waiting.add(search.trace().rows)
    return _finish(search, limits, callback, waiting)


def _resumed(
    problem: Problem, schedule: Schedule, seed: int, trace: Trace, snapshot: Snapshot
) -> TracedSearch:
    """Return a search that continues from a snapshot and has the trace so far."""
    recorder = Recorder(trace.n_levels, trace.n_variables)
    recorder.add(trace.rows, len(trace))
    return TracedSearch(problem, schedule, seed, recorder, snapshot)


def _repeated(problem: Problem, schedule: Schedule, seed: int, calls: int) -> TracedSearch:
    """Return a new search that has made the first ``calls`` calls of an earlier one again."""
    search = TracedSearch(problem, schedule, seed)
    while search.calls < calls and not search.failure:
        search.step(calls - search.calls, STEP_SECONDS)
    return search


def _limits(
    schedule: Schedule, seconds: Any, calls: Any, iterations: Any, target: Any, patience: Any
) -> Limits:
    """Check a budget of :func:`run`."""
    work = positive_or_infinite(iterations, "iterations")
    endless = schedule.repeats[-1] == 0 and iterations is None and patience is None
    calls_left, seconds_left = budget(seconds, calls, endless)
    return Limits(calls_left, seconds_left, work, target_cost(target))


def _state(start: Any, problem: Any) -> Any:
    """Return the state at which the first call begins."""
    state = start.best_state if isinstance(start, Run) else start
    if isinstance(start, Run) and state is None:
        raise ValueError("start is a run without calls, so it has no state.")
    room = allocate(problem)
    wanted = "start must be a run of this problem or a state of it"
    if not hasattr(state, "_fields"):
        raise TypeError(f"{wanted}, got {type(start).__name__}.")
    kind = type(state)
    shapes = [[array.shape for array in arrays_of(each)] for each in (state, room)]
    if kind is not type(room) or shapes[0] != shapes[1]:
        raise ValueError(f"{wanted}, got {type(start).__name__} of another problem.")
    names = getattr(kind, "VARIABLES", None)
    if names is None:
        return state
    # without caches, which may be of other data
    variables = {name: getattr(state, name) for name in names}
    for name, values in variables.items():
        if not np.isfinite(values).all():
            raise ValueError(f"start has {name} that are not finite.")
    if (fault := getattr(state, "fault", str)()) != "":
        raise ValueError(f"start has {fault}.")
    return variables


def _finish(
    search: TracedSearch | ParallelSearch,
    limits: Limits,
    callback: Callable[[Progress], Any] | None,
    patience: Patience,
) -> Run:
    """Run a search to its limits; return the run, also after an interrupt."""
    try:
        _search(search, limits, callback, patience)
    except KeyboardInterrupt:
        search.record()
        return Run(search, interrupted=True)
    if search.failure:
        warnings.warn(f"The search stopped: {search.failure}.", RuntimeWarning, stacklevel=3)
    return Run(search)


def run_from(
    problem: Any,
    configuration: Mapping[str, np.ndarray],
    schedule: Schedule,
    seed: int,
    calls: int | None,
    seconds: float | None,
    callback: Callable[[Progress], Any] | None = None,
) -> Run:
    """Search as :func:`run` does, but begin the first call at a given configuration.

    Parameters
    ----------
    configuration : mapping of str to array
        See :meth:`prviz.search.traced_search.TracedSearch.begin_at`.
    """
    calls_left, seconds_left = budget(seconds, calls, endless=False)
    search = TracedSearch(problem, schedule, seed)
    search.begin_at(configuration)
    return _finish(search, Limits(calls_left, seconds_left), callback, Patience())


def _search(
    search: TracedSearch | ParallelSearch,
    limits: Limits,
    callback: Callable[[Progress], Any] | None,
    patience: Patience,
) -> None:
    """Run a search to its end, or to the first of its limits."""
    best = search.search.best_cost if search.calls else math.inf
    waits = interpreted(search.problem)  # a Python function may wait, without CPU time
    most = 1.0 if waits else math.inf
    while not search.finished:
        began, before = time.monotonic(), search.calls
        calls, seconds = limits.calls - search.calls, limits.seconds - search.seconds
        work = min(limits.iterations - search.iterations, patience.left)
        over = search.settled and (work <= 0 or best <= limits.target)
        if over or min(calls, seconds) <= 0:
            break
        rows = search.step(min(calls, most), min(STEP_SECONDS, seconds), work, limits.target)
        if waits:
            passed = max(time.monotonic() - began, 1e-6)
            most = max(1.0, (search.calls - before) * STEP_SECONDS / passed)
        if rows is not None:
            patience.add(rows)
        best = search.search.best_cost
        progress = Progress(search.calls, best, search.seconds)
        if callback is not None and callback(progress) is True:
            break
