"""Compile the kernels once, in a process of their own, so that nobody waits for the interpreter.

Numba holds the interpreter's lock while it compiles. A server that compiled in a thread would
stand still for minutes; so a child process fills the cache, from which loading is quick.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np

from . import _numba_cache

_ready = threading.Event()
_ready.set()  # unless a server has asked for warming, whoever needs a kernel compiles it
MARK = "warm"
BEHIND = "--behind"  # let everything else on the machine go first


def ready(timeout: float | None = 0.0) -> bool:
    """Whether kernels load quickly; waits up to ``timeout`` seconds (None: as long as it takes)."""
    return _ready.wait(timeout)


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


def compile_all() -> None:
    """Run every driver once on every problem, and mark the cache as full."""
    from .problems.hmm import hmm
    from .problems.kmeans import kmeans
    from .problems.kmedoids import kmedoids
    from .problems.prediction import predictions

    _compile(kmeans(np.random.default_rng(0).normal(size=(20, 2)), 3))
    _compile(kmedoids(1.0 - np.eye(6), 3))  # both optimisers: they are one kernel
    problem = hmm("0110100110010110", 3)
    model = _compile(problem)
    predictions(problem.sequence, model.transition, model.emission, model.start)
    if (folder := _numba_cache.folder()) is not None:
        (folder / MARK).touch()


def _compile(problem: Any) -> Any:
    """Run every driver once; returns the state that comes of it."""
    from .algorithm import close_level, iterate_once, redraw_level
    from .recorded import RecordedSearch
    from .run import make_schedule

    schedule = make_schedule(problem)
    search = RecordedSearch(problem, schedule)
    search.step(calls=2)
    redraw_level(problem, schedule, search.search, search.rng, 1)
    iterate_once(problem, search.search, search.rng, True)
    close_level(problem, schedule, search.search, 1)
    return search.search.state


if __name__ == "__main__":
    if BEHIND in sys.argv and hasattr(os, "nice"):
        os.nice(19)
    compile_all()
