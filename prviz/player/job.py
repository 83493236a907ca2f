"""A probe of ε in a thread: it begins at the best configuration of a run, and can be stopped."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event, Lock, Thread
from typing import Any

import numpy as np

from ..engine.subsets import heuristic_name
from ..probe import Probe, probe
from .live import LiveRun

#: A redraw improves if it ends lower by more than this share of the cost, within which the player
#: takes two costs for the same. Baum–Welch, which ends with a tolerance, always gains a little.
LEAST = 1e-5
PATIENCE = 0.1  # seconds between two looks at whether to go on waiting

_one = Lock()  # held by the probe that runs: others wait, so that players keep their cores


class ProbeJob:
    """One probe.

    Parameters
    ----------
    run : LiveRun
        From whose best configuration variables are redrawn, as its first level has it: α and
        sub-sets.
    sizes, repeats, seed
        As :func:`prviz.probe` takes them.

    Attributes
    ----------
    state : str
        "waiting", "running", "found", "stopped" or "failed".
    found : Probe or None
        What is known so far.
    calls : int
        Of the run, by which the configuration was found.
    trouble : str
        Why it failed, a sentence.
    """

    def __init__(self, run: LiveRun, sizes: Sequence[int], repeats: int, seed: int):
        self.sizes, self.repeats = sorted(set(sizes)), repeats
        self.run_id, self.problem = run.id, run.problem
        self.alpha = float(run.schedule.alphas[0])
        self.subset = heuristic_name(run.schedule.subsets[0])
        self.state = "waiting"
        self.found: Probe | None = None
        self.calls = 0
        self.trouble = ""
        self._stop = Event()
        self._thread = Thread(target=self._work, args=(run, seed), name="probe", daemon=True)
        self._thread.start()

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    @property
    def done(self) -> float:
        """The share of all redraws that have been made."""
        if self.found is None:
            return 0.0
        return float(self.found.repeats.sum() / (self.repeats * len(self.sizes)))

    def fits(self, run: LiveRun) -> bool:
        """Whether a run redraws the variables of the same problem in the same way."""
        return (
            self.alpha == run.schedule.alphas[0]
            and self.subset == heuristic_name(run.schedule.subsets[0])
            and _same(self.problem, run.problem)
        )

    def outdone_by(self, run: LiveRun) -> bool:
        """Whether a run of the same problem has by now found what this one counts as lower."""
        best = run.head()["best"]
        return best is not None and best < self.found.cost - LEAST * max(1.0, abs(self.found.cost))

    def stop(self) -> None:
        """End it after the step under way; what was found stays."""
        self._stop.set()

    def join(self) -> None:
        """Wait until it has ended."""
        self._thread.join()

    def _work(self, run: LiveRun, seed: int) -> None:
        try:
            while not run.kernels_ready(PATIENCE) and not self._stop.is_set():
                pass
            while not self._stop.is_set():
                if _one.acquire(timeout=PATIENCE):
                    try:
                        self._probe(run, seed)
                    finally:
                        _one.release()
                    break
            self.state = "stopped" if self._stop.is_set() else "found"
        except ValueError as error:  # there is no optimum to begin at
            self.state, self.trouble = "failed", str(error)
        except Exception as error:  # said on the page instead of lost with the thread
            self.state, self.trouble = "failed", f"The probe stopped: {error}."
            if not isinstance(error, FloatingPointError):  # the optimiser diverged
                raise

    def _probe(self, run: LiveRun, seed: int) -> None:
        self.calls, state = run.best()
        self.state = "running"
        probe(
            self.problem,
            state,
            self.sizes,
            self.repeats,
            seed,
            alpha=self.alpha,
            subset=self.subset,
            least=LEAST,
            callback=self._take,
        )

    def _take(self, found: Probe) -> bool:
        columns = (found.sizes, found.repeats, found.improved, found.cost, found.iterations)
        self.found = Probe(*(np.copy(column) for column in columns))
        return self._stop.is_set()


def _same(one: Any, other: Any) -> bool:
    """Whether two problems have the same data."""
    if one is other:
        return True
    return type(one) is type(other) and all(map(np.array_equal, one, other))
