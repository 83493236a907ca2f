"""Compile the kernels in child processes, because compiling blocks the interpreter.

Numba holds the interpreter's lock while it compiles. A server that compiled in a thread would not
answer for minutes. So child processes fill the cache, from which kernels load quickly.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from pathlib import Path
from typing import Any

from ..engine import cache
from ..engine.cache import MARK
from ..problems import ON_DEMAND, PROBLEMS, entry_of
from ..problems.entry import Entry, Variant
from ..system import child_processes, private
from .queue import Queue, Stage, cores

_ready = threading.Event()
_ready.set()  # without a server, each process compiles the kernels that it needs
_queue: Queue | None = None  # the kernels that are compiled for this server
_serving = False  # whether a server has called warm_in_background
#: Requested names of ON_DEMAND: the queue of each, and an event that is set when the queue ends.
_demanded: dict[str, tuple[Queue, threading.Event]] = {}
_lock = threading.Lock()
KERNELS: dict[str, Entry | Variant] = {**PROBLEMS, **ON_DEMAND}
POLL = 0.1  # seconds between checks


def ready(timeout: float | None = 0.0, name: str | None = None) -> bool:
    """Return True if no kernels (of one problem, or of any) are being compiled.

    Parameters
    ----------
    timeout : float or None
        Timeout in seconds; None waits without limit.
    name : str, optional
        A name from :func:`name_of`, such as "kmeans". These kernels are compiled next, because a
        user waits for them.
    """
    ended = _ready
    if name in ON_DEMAND:
        ended = _demand(name)
    elif name is not None and _queue is not None:
        _queue.want(name)
    end = math.inf if timeout is None else time.monotonic() + timeout
    while not (name is not None and _marked(name)):
        left = min(POLL, end - time.monotonic())
        if ended.wait(max(0.0, left)):
            return True
        if left <= 0.0:
            return False
    return True


def stages() -> dict[str, Stage]:
    """Return the progress of kernels by name; empty unless some are being compiled."""
    found = {} if _queue is None or _ready.is_set() else _queue.stages()
    for queue, ended in _demanded.values():
        if not ended.is_set():
            found |= queue.stages()
    return found


def name_of(problem: object) -> str | None:
    """Return the name of the kernels of a problem, or None for a type defined elsewhere."""
    demanded = (name for name, each in ON_DEMAND.items() if type(problem) is each.type)
    entry = entry_of(problem)
    return next(demanded, entry and entry.id)


def _demand(name: str) -> threading.Event:
    """Compile kernels once in a child process of a server; return an event that marks the end."""
    ended = threading.Event()
    with _lock:
        if name in _demanded:
            return _demanded[name][1]
        if not _serving or _marked(name):
            ended.set()
            return ended
        queue = Queue({name: ON_DEMAND[name].seconds}, _compile_in_child, 1)
        _demanded[name] = queue, ended
    queue.want(name)  # at once, because a user waits
    queue.start()
    threading.Thread(target=_wait_for, args=(queue, ended), daemon=True).start()
    return ended


def _mark(name: str) -> Path | None:
    """Return the file that marks kernels as cached."""
    folder, unit = cache.folder(), cache.unit_of(KERNELS[name].type.__module__)
    if folder is None or unit is None:
        return None
    return folder / unit / (MARK if name in PROBLEMS else f"{MARK}-{name}")


def _marked(name: str) -> bool:
    mark = _mark(name)
    return mark is not None and mark.exists()


def warm_in_background() -> None:
    """Start filling the cache in child processes, unless it is complete."""
    global _queue, _serving
    missing = {name: entry.seconds for name, entry in PROBLEMS.items() if not _marked(name)}
    if cache.folder() is None:
        return
    _serving = True
    if not missing:
        return
    _ready.clear()
    _queue = Queue(missing, _compile_in_child, cores())
    _queue.start()
    waiting = (_queue, _ready)
    threading.Thread(target=_wait_for, args=waiting, name="prviz-warm", daemon=True).start()


def _wait_for(queue: Queue, ended: threading.Event) -> None:
    queue.join()
    ended.set()  # also after a failure, so that this process compiles the missing kernels


def _compile_in_child(name: str, priority: int) -> None:
    arguments = ("--child", "--only", name, "--priority", str(priority))
    with child_processes.child("prviz.warm", *arguments) as process:
        process.wait()


def compile_all(jobs: int = 1) -> None:
    """Compile the kernels of all problems into the cache, unless they are cached.

    Parameters
    ----------
    jobs : int
        Number of processes; 1 means this process alone.
    """
    if jobs == 1:
        for name in PROBLEMS:
            _compile(name)
        return
    work = {name: entry.seconds for name, entry in PROBLEMS.items()}
    queue = Queue(work, lambda name, _: _compile_in_child(name, 0), jobs)
    queue.start()
    queue.join()
    if missing := [name for name in PROBLEMS if not _marked(name)]:
        raise SystemExit(f"These kernels were not compiled: {', '.join(missing)}.")


def compile_alone(name: str) -> None:
    """Compile kernels by name, unless they are cached or another process is compiling them."""
    from filelock import FileLock

    mark = _mark(name)
    if mark is None:
        return
    private.make_folder(mark.parent)
    if not os.access(mark.parent, os.W_OK):
        return  # nothing can be saved, for example in a read-only container
    with FileLock(mark.with_suffix(".lock")):
        if not mark.exists():
            _compile(name)


def _compile(name: str) -> None:
    """Run every compiled function once on a small problem, and mark its kernels as cached."""
    _compile_for(KERNELS[name].tiny())
    _note(name)


def _compile_for(problem: Any) -> None:
    """Run every compiled function once on a problem."""
    from ..engine.algorithm import close_level, iterate_on, redraw_level
    from ..search.settings import K1, make_schedule
    from ..search.traced_search import TracedSearch

    TracedSearch(problem, make_schedule(problem)).step(calls=2)
    schedule = make_schedule(problem, K1)
    search = TracedSearch(problem, schedule)
    search.step(calls=2)
    redraw_level(problem, schedule, search.search, search.rng, 1)
    iterate_on(problem, search.search, search.rng, 1)
    close_level(problem, schedule, search.search, 1)


def _note(name: str) -> None:
    """Mark kernels as cached if they were saved; mark the cache as complete if all are cached."""
    folder, mark = cache.folder(), _mark(name)
    if folder is None or mark is None or cache.unsaved:
        return
    with contextlib.suppress(OSError):
        private.make_folder(mark.parent)
        mark.touch()
        if all(map(_marked, PROBLEMS)):
            (folder / MARK).touch()
