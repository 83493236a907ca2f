"""Compile the kernels once, in a process of their own, so that nobody waits for the interpreter.

Numba holds the interpreter's lock while it compiles. A server that compiled in a thread would
stand still for minutes; so a child process fills the cache, from which loading is quick.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from . import _numba_cache

_ready = threading.Event()
_ready.set()  # unless a server has asked for warming, whoever needs a kernel compiles it
MARK = "warm"
POLL = 0.1  # seconds between two looks at the marks
BEHIND = "--behind"


def ready(timeout: float | None = 0.0, problem_type: type | None = None) -> bool:
    """Whether the kernels of a problem load quickly, or those of all problems.

    Parameters
    ----------
    timeout : float or None
        Wait up to so many seconds for it; None waits as long as it takes.
    problem_type : type, optional
        A problem's, such as ``KMeans``: they are compiled one problem after the other.
    """
    end = math.inf if timeout is None else time.monotonic() + timeout
    while not (problem_type is not None and _compiled(problem_type)):
        left = min(POLL, end - time.monotonic())
        if _ready.wait(max(0.0, left)):
            return True
        if left <= 0.0:
            return False
    return True


def _mark(problem_type: type) -> Path | None:
    """The file that says that a problem's kernels are in the cache."""
    folder = _numba_cache.folder()
    return None if folder is None else folder / f"{MARK}-{problem_type.__name__}"


def _compiled(problem_type: type) -> bool:
    mark = _mark(problem_type)
    return mark is not None and mark.exists()


def warm_in_background() -> None:
    """Start filling the cache in a child process, unless it is full already."""
    folder = _numba_cache.folder()
    if folder is None or (folder / MARK).exists():
        return
    _ready.clear()
    threading.Thread(target=_wait_for_child, name="prviz-warm", daemon=True).start()


def _wait_for_child() -> None:
    root = str(Path(__file__).parents[1])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    try:
        subprocess.run(
            [sys.executable, "-m", "prviz.warm", BEHIND],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            check=False,
        )
    finally:  # however it ended: the kernels can then be compiled here
        _ready.set()


def _kmeans() -> Any:
    from .problems.kmeans import kmeans

    return kmeans(np.random.default_rng(0).normal(size=(20, 2)), 3)


def _hmm() -> Any:
    from .problems.hmm import hmm
    from .problems.prediction import predictions

    problem = hmm("0110100110010110", 3)
    predictions(problem.sequence, np.eye(3), np.full((3, 2), 0.5), np.full(3, 1 / 3))
    return problem


def _kmedoids() -> Any:
    from .problems.kmedoids import kmedoids

    return kmedoids(1.0 - np.eye(6), 3)  # both optimisers: they are one kernel


def _landscape() -> Any:
    from .problems.landscape import landscape

    return landscape()


def _rbm() -> Any:
    from .problems.rbm import rbm

    return rbm(np.eye(4), 3, epochs=2)  # both optimisers: they are one kernel


#: A small one of every problem, in the order in which they are compiled: Home's first.
EXAMPLES: dict[str, Callable[[], Any]] = {
    "Landscape": _landscape,
    "KMeans": _kmeans,
    "HMM": _hmm,
    "KMedoids": _kmedoids,
    "RBM": _rbm,
}


def _end_with_parent() -> None:
    """End this process soon after the one that started it, should that be killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, name="prviz-parent", daemon=True).start()


def compile_all(jobs: int = 1) -> None:
    """Run every driver once on every problem, and mark the cache as full.

    Parameters
    ----------
    jobs : int
        Processes that compile a problem each; with 1 it is done in this one.
    """
    if jobs == 1:
        for name in EXAMPLES:
            _compile(name)
    else:  # those that take long first, so that the processes end together
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=spawn) as processes:
            list(processes.map(_compile, reversed(EXAMPLES)))
    if (folder := _numba_cache.folder()) is not None:
        (folder / MARK).touch()


def _compile(name: str) -> None:
    """Run every driver once on an example, and mark the problem's kernels as compiled."""
    from .algorithm import close_level, iterate_on, redraw_level
    from .recorded import RecordedSearch
    from .run import make_schedule

    problem = EXAMPLES[name]()
    schedule = make_schedule(problem)
    search = RecordedSearch(problem, schedule)
    search.step(calls=2)
    redraw_level(problem, schedule, search.search, search.rng, 1)
    iterate_on(problem, search.search, search.rng, 1)
    close_level(problem, schedule, search.search, 1)
    if (mark := _mark(type(problem))) is not None:
        mark.touch()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compile all kernels into the cache.")
    parser.add_argument("--jobs", type=int, default=1, help="processes, a problem each")
    parser.add_argument(BEHIND, action="store_true", help="with the lowest priority")
    options = parser.parse_args()
    if options.behind:
        _end_with_parent()
        if hasattr(os, "nice"):
            os.nice(19)
    compile_all(options.jobs)
