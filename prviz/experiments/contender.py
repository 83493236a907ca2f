"""What is compared: searches by partial reinitialisation, and other methods that count work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ..engine.schedule import Schedule
from ..traced import Moment, TracedSearch
from .corners import CornerRecorder, Corners, nothing


class Stretch(NamedTuple):
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


class Attempt(Protocol):
    """A run of a contender, which can be sent to another process between two stretches.

    Attributes
    ----------
    corners : Corners
    done : bool
        It goes no further: it is over, or has met the target.
    nbytes : int
        Memory that it holds in order to go on.
    """

    @property
    def corners(self) -> Corners: ...
    @property
    def done(self) -> bool: ...
    @property
    def nbytes(self) -> int: ...

    def further(self, problem: Any, stretch: Stretch) -> Attempt:
        """Itself after a stretch, or what came back of it; the same, however a run is cut."""
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

    def begin(self, problem: Any, seed: int) -> Attempt:
        """Return a run of a seed before its first call."""
        ...


class Reinitialisation(NamedTuple):
    """Contender: reinitialisation by a schedule, partial or, with one level, full."""

    schedule: Schedule
    iteration: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        return {"levels": [level._asdict() for level in self.schedule.levels()]}

    def begin(self, problem: Any, seed: int) -> SearchAttempt:
        return SearchAttempt(self.schedule, seed)


class SearchAttempt:
    """An :class:`Attempt` of a :class:`Reinitialisation`: a search, made when it is to begin.

    It stays as it is between two stretches, and is packed where it is sent to another process.
    """

    def __init__(self, schedule: Schedule, seed: int):
        self.schedule, self.seed = schedule, seed
        self.corners, self.done = nothing(), False
        self._search: TracedSearch | None = None
        self._recorder: CornerRecorder | None = None
        self._moment: Moment | None = None  # in its place, once it has been sent

    @property
    def nbytes(self) -> int:
        return self._search.nbytes if self._search else 0

    def further(self, problem: Any, stretch: Stretch) -> SearchAttempt:
        search = self._search or self._taken_up(problem)
        last = search.calls + stretch.calls
        while not (met := search.search.best_cost <= stretch.target) and not search.finished:
            limits = {"calls": last - search.calls}
            left = stretch.until - getattr(search, stretch.axis)
            limits[stretch.axis] = min(left, limits.get(stretch.axis, math.inf))
            if min(limits.values()) <= 0:
                break
            search.step(**limits, target=stretch.target)
        assert self._recorder is not None  # made with the search
        self.corners = self._recorder.corners(search.finished)
        self.done = bool(met or search.finished)
        if self.done:
            self._search = None
        return self

    def _taken_up(self, problem: Any) -> TracedSearch:
        self._recorder = CornerRecorder(self.corners)
        given = problem, self.schedule, self.seed, self._recorder, self._moment
        search = TracedSearch(*given)
        self._search, self._moment = search, None
        return search

    def __getstate__(self) -> dict[str, Any]:
        moment = self._search.moment() if self._search else self._moment
        return {**self.__dict__, "_search": None, "_recorder": None, "_moment": moment}
