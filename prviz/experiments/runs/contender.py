"""Contenders: searches by partial reinitialisation, and other methods that count work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ...engine.schedule import Schedule
from ...search.traced_search import Snapshot, TracedSearch
from .improvements import ImprovementRecorder, Improvements, nothing


class RunLimit(NamedTuple):
    """Limits of a run; the first one ends it, after the present call.

    Attributes
    ----------
    axis : {"iterations", "calls", "seconds"}
    until : float
        Total work.
    calls : float
        Largest number of further calls.
    target : float
        The run ends once its best cost is at most this.
    """

    axis: str
    until: float
    calls: float = math.inf
    target: float = -math.inf


class Trial(Protocol):
    """A run of a contender, which can be sent to another process between two limits.

    Attributes
    ----------
    improvements : Improvements
    done : bool
        Whether it has ended, or has reached the target.
    nbytes : int
        Memory of its state between two limits.
    """

    @property
    def improvements(self) -> Improvements: ...
    @property
    def done(self) -> bool: ...
    @property
    def nbytes(self) -> int: ...

    def further(self, problem: Any, limit: RunLimit) -> Trial:
        """Return the run at the limit; the result does not depend on intermediate limits."""
        ...


class Contender(Protocol):
    """A method with its settings, which can be sent to another process.

    Attributes
    ----------
    iteration : str
        Unit of iterations: "" for iterations of the problem's own optimiser, as in searches. If the
        units of contenders differ, only seconds can be compared.
    settings : mapping
        Settings, as JSON types. Equal settings give equal runs on equal problems and seeds, so a
        store may return one for the other. They include the version of another library if it makes
        the runs.
    """

    @property
    def iteration(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, Any]: ...

    def begin(self, problem: Any, seed: int) -> Trial:
        """Return a run of a seed before its first call."""
        ...


class Reinitialisation(NamedTuple):
    """Contender: reinitialisation by a schedule, partial or, with one level, full."""

    schedule: Schedule
    iteration: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        return {"levels": [level._asdict() for level in self.schedule.levels()]}

    def begin(self, problem: Any, seed: int) -> SearchTrial:
        return SearchTrial(self.schedule, seed)


class SearchTrial:
    """A :class:`Trial` of a :class:`Reinitialisation`; the search is created on first use.

    It stays in memory between two limits, and is converted when sent to another process.
    """

    def __init__(self, schedule: Schedule, seed: int):
        self.schedule, self.seed = schedule, seed
        self.improvements, self.done = nothing(), False
        self._search: TracedSearch | None = None
        self._recorder: ImprovementRecorder | None = None
        self._snapshot: Snapshot | None = None  # replaces the search once it has been sent

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
        assert self._recorder is not None  # made with the search
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
