"""Make several runs in parallel, and return each run as it ends."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, NamedTuple

from .contender import Contender, RunLimit, Trial
from .improvements import Improvements
from .runner import Budget

SLICE = 0.05  # CPU seconds between checks for a stop
BEAT = 0.1  # seconds until None is yielded if no run has ended
Ended = tuple[Any, Improvements | None]  # key and improvements of a run; None for a stopped run


class Signals(NamedTuple):
    """Events that threads of runs watch.

    Attributes
    ----------
    stop, go : threading.Event
        ``stop`` ends runs within a fraction of a second. While ``go`` is not set, runs pause.
    """

    stop: threading.Event
    go: threading.Event

    @classmethod
    def none(cls) -> Signals:
        """Return events that never stop or pause runs."""
        signals = cls(threading.Event(), threading.Event())
        signals.go.set()
        return signals


def finished(
    problem: Any,
    runs: Iterable[tuple[Any, Contender, int]],
    budget: Budget,
    workers: int,
    signals: Signals | None = None,
) -> Generator[tuple[Any, Improvements] | None, None, None]:
    """Make runs, and yield each run with its key when it ends.

    Runs use threads, or the backend of ``joblib.parallel_config``. With threads, a stop aborts
    unfinished runs, and None is yielded if no run has ended for ``BEAT`` seconds. With other
    backends, a stop waits for unfinished runs.

    Parameters
    ----------
    problem
    runs : iterable of (key, Contender, int)
        The last item is the seed. Runs start in this order. With threads, an item is read shortly
        before its run starts.
    budget : Budget
        Budget of each run.
    workers : int
    signals : Signals, optional
    """
    from joblib.parallel import ThreadingBackend, get_active_backend

    signals = signals or Signals.none()
    backend, _ = get_active_backend(prefer="threads")
    elsewhere = not isinstance(backend, ThreadingBackend)
    heard = None if elsewhere else signals

    def begun() -> Iterator[tuple[Any, ...]]:
        for key, contender, seed in list(runs) if elsewhere else runs:
            if signals.stop.is_set():
                return
            yield key, contender.begin(problem, seed), problem, budget, heard

    made = _in_processes(begun(), workers) if elsewhere else _in_threads(begun(), workers, signals)
    with contextlib.closing(made):
        for found in made:
            key, run = found or (None, None)
            if found is None:
                yield None
            elif run is not None:
                yield key, run


def _in_threads(
    tasks: Iterator[tuple[Any, ...]], workers: int, signals: Signals
) -> Generator[Ended | None, None, None]:
    with ThreadPoolExecutor(workers) as pool:
        pending: set[Future[Ended]] = set()
        try:
            while True:
                room = 2 * workers - len(pending)
                pending |= {pool.submit(_finished, *task) for task in islice(tasks, room)}
                if not pending:
                    return
                ended, pending = wait(pending, BEAT, FIRST_COMPLETED)
                yield from (each.result() for each in ended)
                if not ended:
                    yield None
        except BaseException:  # stopped or interrupted: do not wait for runs
            signals.stop.set()
            raise


def _in_processes(tasks: Iterator[tuple[Any, ...]], workers: int) -> Generator[Ended, None, None]:
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=workers, return_as="generator_unordered")
    yield from pool(delayed(_finished)(*task) for task in tasks)


def _finished(
    key: Any, trial: Trial, problem: Any, budget: Budget, signals: Signals | None
) -> Ended:
    """Return a completed run; None if it was stopped."""
    while not trial.done and trial.improvements.end(budget.axis) < budget.total:
        while signals and not signals.stop.is_set() and not signals.go.wait(BEAT):
            pass
        if signals and signals.stop.is_set():
            return key, None
        done, seconds = trial.improvements.end(budget.axis), trial.improvements.end_seconds
        step = SLICE * done / seconds if seconds else 0.0
        until = min(budget.total, max(done + step, math.nextafter(done, math.inf)))
        trial = trial.further(problem, RunLimit(budget.axis, until, math.inf, budget.target))
    return key, trial.improvements
