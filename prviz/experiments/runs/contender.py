"""What is compared: searches by partial reinitialisation, and other methods that count work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ...engine.schedule import Schedule
from ...search.traced_search import Snapshot, TracedSearch
from .improvements import ImprovementRecorder, Improvements, nothing


class RunLimit(NamedTuple):
    """How far a run is taken, until whichever comes first; the call under way is finished.

    Attributes
    ----------
    axis : {"iterations", "calls", "seconds"}
    until : float
        Work in all.
    calls : float
        More of them at most.
    target : float
        A best cost that is no more than this.
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
        It goes no further: it is over, or has met the target.
    nbytes : int
        Memory that it holds in order to go on.
    """

    @property
    def improvements(self) -> Improvements: ...
    @property
    def done(self) -> bool: ...
    @property
    def nbytes(self) -> int: ...

    def further(self, problem: Any, limit: RunLimit) -> Trial:
        """Return the run once the limit is reached; the same, however it is cut."""
        ...


class Contender(Protocol):
    """A method with its settings, which can be sent to another process.

    Attributes
    ----------
    iteration : str
        What it counts as one: "" for one of the problem's own optimiser, which is what searches
        count. Work of contenders that count different things can't be compared, only seconds.
    settings : mapping
        By which it is known, of what JSON can hold: equal ones make equal runs, on equal problems
        and from equal seeds, so that a store may give one for the other. Where another library
        makes them, its version belongs here.
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
    """A :class:`Trial` of a :class:`Reinitialisation`: a search, made when it is to begin.

    It stays as it is between two limits, and is packed where it is sent to another process.
    """

    def __init__(self, schedule: Schedule, seed: int):
        self.schedule, self.seed = schedule, seed
        self.improvements, self.done = nothing(), False
        self._search: TracedSearch | None = None
        self._recorder: ImprovementRecorder | None = None
        self._snapshot: Snapshot | None = None  # in its place, once it has been sent

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
