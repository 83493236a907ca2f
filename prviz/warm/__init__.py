"""Compile the kernels once, in processes of their own, so that nobody waits for the interpreter.

Numba holds the interpreter's lock while it compiles. A server that compiled in a thread would
stand still for minutes; so child processes fill the cache, from which loading is quick.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import lifeline
from ..engine import cache
from ..engine.cache import MARK
from .queue import Queue, Stage, cores

_ready = threading.Event()
_ready.set()  # unless a server has asked for warming, whoever needs a kernel compiles it
_queue: Queue | None = None  # while kernels are being compiled for this server
POLL = 0.1  # seconds between two looks at the marks


def ready(timeout: float | None = 0.0, problem_type: type | None = None) -> bool:
    """Whether the kernels of a problem load quickly, or those of all problems.

    Parameters
    ----------
    timeout : float or None
        Wait up to so many seconds for it; None waits as long as it takes.
    problem_type : type, optional
        A problem's, such as ``KMeans``: they are compiled one problem after the other, and this
        one next, as somebody waits for it.
    """
    if problem_type is not None and _queue is not None:
        _queue.want(problem_type.__name__)
    end = math.inf if timeout is None else time.monotonic() + timeout
    while not (problem_type is not None and _compiled(problem_type)):
        left = min(POLL, end - time.monotonic())
        if _ready.wait(max(0.0, left)):
            return True
        if left <= 0.0:
            return False
    return True


def stages() -> dict[str, Stage]:
    """How far each problem is, by the name of its type; nothing unless kernels are compiled now."""
    return {} if _queue is None or _ready.is_set() else _queue.stages()


def _mark(name: str) -> Path | None:
    """The file that says that a problem's kernels are in the cache."""
    folder = cache.folder()
    return None if folder is None else folder / f"{MARK}-{name}"


def _compiled(problem_type: type) -> bool:
    return _marked(problem_type.__name__)


def _marked(name: str) -> bool:
    mark = _mark(name)
    return mark is not None and mark.exists()


def warm_in_background() -> None:
    """Start filling the cache in child processes, unless it is full already."""
    global _queue
    missing = {name: each.seconds for name, each in EXAMPLES.items() if not _marked(name)}
    if cache.folder() is None or not missing:
        return
    _ready.clear()
    _queue = Queue(missing, _compile_in_child, cores())
    _queue.start()
    threading.Thread(target=_wait_for, args=(_queue,), name="prviz-warm", daemon=True).start()


def _wait_for(queue: Queue) -> None:
    queue.join()
    _ready.set()  # however it ended: what is missing can then be compiled here


def _compile_in_child(name: str, priority: int) -> None:
    arguments = ("--only", name, "--priority", str(priority))
    with lifeline.child("prviz.warm", *arguments) as process:
        process.wait()


def _kmeans() -> Any:
    from ..problems.kmeans.problem import kmeans

    return kmeans(np.random.default_rng(0).normal(size=(20, 2)), 3)


def _hmm() -> Any:
    from ..problems.hmm.prediction import predictions
    from ..problems.hmm.problem import hmm

    problem = hmm("0110100110010110", 3)
    predictions(problem.sequence, np.eye(3), np.full((3, 2), 0.5), np.full(3, 1 / 3))
    return problem


def _kmedoids() -> Any:
    from ..problems.kmedoids.problem import kmedoids

    return kmedoids(1.0 - np.eye(6), 3)  # both optimisers: they are one kernel


def _landscape() -> Any:
    from ..problems.landscape import landscape

    return landscape()


def _rbm() -> Any:
    from ..problems.rbm.problem import rbm

    return rbm(np.eye(4), 3, epochs=2)  # both optimisers: they are one kernel


class Example(NamedTuple):
    """A problem as small as can be.

    Attributes
    ----------
    make : callable
        Makes it.
    seconds : float
        How long its kernels take to compile, compared with the others'.
    """

    make: Callable[[], Any]
    seconds: float


#: One of every problem, in the order in which they are compiled: Home's and the first page's come
#: first, and then those that take longest, so that all cores are busy to the end.
EXAMPLES = {
    "Landscape": Example(_landscape, 4.0),
    "KMeans": Example(_kmeans, 10.0),
    "RBM": Example(_rbm, 20.0),
    "HMM": Example(_hmm, 16.0),
    "KMedoids": Example(_kmedoids, 10.0),
}


def compile_all(jobs: int = 1) -> None:
    """Run every driver once on every problem, so that all are in the cache, or loaded from it.

    Parameters
    ----------
    jobs : int
        Processes that compile a problem each; with 1 it is done in this one.
    """
    if jobs == 1:
        for name in EXAMPLES:
            _compile(name)
        return
    work = {name: example.seconds for name, example in EXAMPLES.items()}
    queue = Queue(work, lambda name, _: _compile_in_child(name, 0), jobs)
    queue.start()
    queue.join()
    if missing := [name for name in EXAMPLES if not _marked(name)]:
        raise SystemExit(f"These kernels were not compiled: {', '.join(missing)}.")


def compile_alone(name: str) -> None:
    """Compile the kernels of a problem, unless another process does it or has done it."""
    from filelock import FileLock

    mark = _mark(name)
    if mark is None:
        return
    with FileLock(mark.with_suffix(".lock")):
        if not mark.exists():
            _compile(name)


def _compile(name: str) -> None:
    """Run every driver once on an example, and mark the problem's kernels as compiled."""
    from ..engine.algorithm import close_level, iterate_on, redraw_level
    from ..run import make_schedule
    from ..traced import RecordedSearch

    problem = EXAMPLES[name].make()
    schedule = make_schedule(problem)
    search = RecordedSearch(problem, schedule)
    search.step(calls=2)
    redraw_level(problem, schedule, search.search, search.rng, 1)
    iterate_on(problem, search.search, search.rng, 1)
    close_level(problem, schedule, search.search, 1)
    _note(name)


def _note(name: str) -> None:
    """Mark a problem's kernels as compiled, if they are in the cache, and the cache as full."""
    mark = _mark(name)
    if mark is None or cache.unsaved:
        return
    with contextlib.suppress(OSError):
        mark.touch()
        if all(map(_marked, EXAMPLES)):
            (mark.parent / MARK).touch()
