"""Affinity propagation on demand, in a background process.

A comparison may take a minute, and scikit-learn would block the interpreter for that time. Results
are stored while the server runs, for all users with the same data and number of medoids.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Hashable
from threading import Lock, Thread
from typing import Any, NamedTuple

import numpy as np

from prviz.system import child_processes
from prviz.ui.widgets.formatting import six_digits

MOST_JOBS = 32  # stored comparisons
NICE = 10  # priority at which the process gets a tenth of the player's share of a core
ENDED = "Affinity propagation was stopped. Press the button again."

_one = Lock()  # allows one job at a time, so that a core remains for the player
_jobs: dict[Hashable, Job] = {}


class Found(NamedTuple):
    """The result of one try or of all: see :class:`prviz.baselines.Clustering`."""

    n_clusters: int
    cost: float
    n_tries: int
    seconds: float
    notice: str


class Job:
    """A comparison with affinity propagation."""

    def __init__(self, matrix: np.ndarray, n_clusters: int):
        self.state = "waiting"
        self.found: Found | None = None
        self.trouble = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._thread = Thread(target=self._work, args=(matrix, n_clusters), daemon=True)
        self._thread.start()

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    def stop(self) -> None:
        """Abort the comparison."""
        self._stopped = True
        if self._process is not None:
            self._process.terminate()
        elif self.state == "waiting":
            self.state = "stopped"

    def join(self) -> None:
        """Wait until the comparison has ended."""
        self._thread.join()

    @property
    def words(self) -> str:
        """Return the job's state in one or two sentences."""
        if self.state == "failed":
            return self.trouble
        if self.state == "waiting":
            return "Affinity propagation waits for another comparison to finish."
        if self.found is None:
            return "Affinity propagation tries a first preference …"
        n_clusters, cost, n_tries, seconds, notice = self.found
        if self.state == "running":
            return (
                f"Affinity propagation: preference number {n_tries} gave {n_clusters} medoids; "
                f"{seconds:.2g} CPU s so far."
            )
        tried = f"{n_tries} preference{'s' if n_tries > 1 else ''}"
        return (
            f"Affinity propagation: {six_digits(cost)} with {n_clusters} medoids, after {tried} "
            f"and {seconds:.3g} CPU s. {notice or 'It converged.'}"
        )

    def _work(self, matrix: np.ndarray, n_clusters: int) -> None:
        with _one:
            if not self._stopped:
                self.state = "running"
                self._ask(matrix, n_clusters)
        if self._stopped:
            self.state = "stopped"

    def _ask(self, matrix: np.ndarray, n_clusters: int) -> None:
        ended = ENDED
        child = child_processes.child(
            "prviz.ui.sections.affinity",
            environment={"OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
        )
        with contextlib.suppress(OSError), child as process:  # a stopped child breaks the pipe
            self._process = process
            assert process.stdin is not None and process.stdout is not None  # both are pipes
            if self._stopped:
                process.terminate()
            head = {"n": len(matrix), "type": matrix.dtype.str, "n_clusters": n_clusters}
            process.stdin.write(json.dumps(head).encode() + b"\n" + matrix.tobytes())
            process.stdin.flush()  # stdin stays open, because the child ends when it closes
            for line in process.stdout:
                ended = self._take(json.loads(line))
        self.state, self.trouble = ("failed", ended) if ended else ("found", "")

    def _take(self, line: dict[str, Any]) -> str:
        """Read a line from the child; return the error to show if no line follows."""
        if "trouble" in line:
            return line["trouble"]
        self.found = Found(**line["found"])
        return "" if line["last"] else ENDED


def job(key: Hashable) -> Job | None:
    """Return the comparison with a key, if there is one."""
    return _jobs.get(key)


def start(key: Hashable, matrix: np.ndarray, n_clusters: int) -> None:
    """Start a comparison, unless it is active or has a result."""
    former = _jobs.get(key)
    if former is not None and (former.active or former.state == "found"):
        return
    while len(_jobs) >= MOST_JOBS:
        _jobs.pop(next(iter(_jobs))).stop()
    _jobs[key] = Job(matrix, n_clusters)


def _main() -> None:
    """Run in the child: read a line of JSON and the matrix, and write a line of JSON per try."""
    from prviz.baselines import ClustersNotFound, affinity_propagation

    if hasattr(os, "nice"):
        os.nice(NICE)
    head = json.loads(sys.stdin.buffer.readline())
    n, dtype = head["n"], np.dtype(head["type"])
    content = sys.stdin.buffer.read(n * n * dtype.itemsize)
    child_processes.end_with_parent()

    def tell(found: Any, last: bool = False) -> None:
        said = {name: getattr(found, name) for name in Found._fields}
        print(json.dumps({"found": said, "last": last}), flush=True)

    try:
        matrix = np.frombuffer(content, dtype).reshape(n, n)
        tell(affinity_propagation(matrix, head["n_clusters"], callback=tell), last=True)
    except (ClustersNotFound, ValueError, TypeError, MemoryError) as error:
        print(json.dumps({"trouble": str(error)}), flush=True)


if __name__ == "__main__":
    _main()
