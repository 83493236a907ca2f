"""Contenders: searches by partial reinitialisation, and other methods that count work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ...engine.schedule import Schedule
from ...search.traced_search import Snapshot, TracedSearch
from .improvements import ImprovementRecorder, Improvements, nothing


class RunLimit(NamedTuple):
    """Limits of a run. The run ends after the call that reaches one of them.

    Attributes
    ----------
    axis : {"iterations", "calls", "seconds"}
    until : float
        Total work.
    calls : float
        Largest number of calls from now on.
    target : float
        The run ends once its best cost is at most this.
    """

    axis: str
    until: float
    calls: float = math.inf
    target: float = -math.inf


class Trial(Protocol):
    """A run of a contender. Between calls of :meth:`further`, it can move to another process.

    Attributes
    ----------
    improvements : Improvements
    done : bool
        True if the run has ended or has reached the target.
    nbytes : int
        Memory in bytes of the run's state between two calls of :meth:`further`.
    """

    @property
    def improvements(self) -> Improvements: ...
    @property
    def done(self) -> bool: ...
    @property
    def nbytes(self) -> int: ...

    def further(self, problem: Any, limit: RunLimit) -> Trial:
        """Continue the run to the limit and return it; earlier limits do not affect the result."""
        ...


class Contender(Protocol):
    """A method with its settings, which can be sent to another process.

    Attributes
    ----------
    iteration : str
        The operation that counts as an iteration; "" for an iteration of the problem's own
        optimiser. If the operations of contenders differ, only seconds can be compared.
    settings : mapping
        Settings, as JSON types. Equal settings give equal runs on equal problems and seeds, so
        stored runs can be reused. If another library makes the runs, the settings include its
        version.
    """

    @property
    def iteration(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, Any]: ...

    def begin(self, problem: Any, seed: int) -> Trial:
        """Return the run of a seed, before its first call."""
        ...


class Reinitialisation(NamedTuple):
    """A schedule of reinitialisations as a contender; one level means full restarts."""

    schedule: Schedule
    iteration: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        return {"levels": [level._asdict() for level in self.schedule.levels()]}

    def begin(self, problem: Any, seed: int) -> SearchTrial:
        return SearchTrial(self.schedule, seed)


class SearchTrial:
    """A :class:`Trial` of a :class:`Reinitialisation`; the search is created on first use.

    The search stays in memory between two calls of :meth:`further`. Another process receives a
    snapshot of the search.
    """

    def __init__(self, schedule: Schedule, seed: int):
        self.schedule, self.seed = schedule, seed
        self.improvements, self.done = nothing(), False
        self._search: TracedSearch | None = None
        self._recorder: ImprovementRecorder | None = None
        self._snapshot: Snapshot | None = None  # replaces _search in another process

    @property
    def nbytes(self) -> int:
        return self._search.nbytes if self._search else 0

    def further(self, problem: Any, limit: RunLimit) -> SearchTrial:
        search = self._search or self._started(problem)
        last = search.calls + limit.calls
        while not (met := search.search.best_cost <= limit.target) and not search.finished:
            limits = {"calls": last - search.calls}
            left = limit.until - getattr(search, limit.axis)
            limits[limit.axis] = min(left, limits.get(limit.axis, math.inf))
            if min(limits.values()) <= 0:
                break
            search.step(**limits, target=limit.target)
        assert self._recorder is not None  # created with the search
        self.improvements = self._recorder.improvements(search.finished)
        self.done = bool(met or search.finished)
        if self.done:
            self._search = None
        return self

    def _started(self, problem: Any) -> TracedSearch:
        self._recorder = ImprovementRecorder(self.improvements)
        given = problem, self.schedule, self.seed, self._recorder, self._snapshot
        search = TracedSearch(*given)
        self._search, self._snapshot = search, None
        return search

    def __getstate__(self) -> dict[str, Any]:
        snapshot = self._search.snapshot() if self._search else self._snapshot
        return {**self.__dict__, "_search": None, "_recorder": None, "_snapshot": snapshot}
