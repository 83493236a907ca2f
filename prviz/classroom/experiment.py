"""An experiment: each person compares a partial search with full restarts on their own seed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from ..experiments.statistics.intervals import share_of
from .question import Refused

LEAST_GAIN = 1e-9  # relative difference below which two costs are ties


class Result(NamedTuple):
    """The result that one person's device has computed.

    Attributes
    ----------
    k1, m1, seed : int
    partial, full : float
        Lowest cost of the partial search and of full restarts, after equal work.
    """

    k1: int
    m1: int
    seed: int
    partial: float
    full: float

    @property
    def winner(self) -> str:
        """Return "partial", "full", or "tie"."""
        if abs(self.partial - self.full) <= LEAST_GAIN * max(abs(self.partial), abs(self.full)):
            return "tie"
        return "partial" if self.partial < self.full else "full"


class Experiment:
    """Searches of the whole class on one problem.

    Parameters
    ----------
    title : str
        Name of the problem.
    noun : str
        Plural name of the variables, such as "centres".
    k1s, m1s : sequence of int
        Values that people can choose.
    work : int
        Iterations of each search.
    known : float, optional
        Lowest known cost.
    """

    def __init__(
        self,
        title: str,
        noun: str,
        k1s: Sequence[int],
        m1s: Sequence[int],
        work: int,
        known: float | None = None,
    ):
        self.title, self.noun, self.work, self.known = title, noun, work, known
        self.k1s, self.m1s = tuple(k1s), tuple(m1s)
        self.results: dict[int, Result] = {}
        share_of(1, 2)  # imports SciPy now, which takes a second

    def take(self, place: int, sent: Any) -> None:
        """Add the result of a person; raise :class:`Refused` if it is invalid."""
        if not isinstance(sent, Mapping):
            raise Refused(400, "A result must be a JSON object.")
        k1, m1 = self.checked(sent)
        partial, full = sent.get("partial"), sent.get("full")
        if not (_is_cost(partial) and _is_cost(full)):
            raise Refused(400, "partial and full must be finite numbers.")
        self.results[place] = Result(k1, m1, place, float(partial), float(full))

    def checked(self, sent: Mapping[str, Any]) -> tuple[int, int]:
        """Return k₁ and M₁; raise :class:`Refused` unless both are values of the sliders."""
        k1, m1 = sent.get("k1"), sent.get("m1")
        if type(k1) is not int or k1 not in self.k1s or type(m1) is not int or m1 not in self.m1s:
            raise Refused(400, "k1 and m1 must be values of the sliders.")
        return k1, m1

    @property
    def settings(self) -> dict[str, Any]:
        """Return the data that a phone needs in addition to the problem."""
        return {"title": self.title, "noun": self.noun, "k1s": self.k1s, "m1s": self.m1s}

    @property
    def summary(self) -> dict[str, Any]:
        """Return the share of people whose partial search ended lower, with its 95 % interval."""
        winners = [each.winner for each in self.results.values()]
        ahead, decided = winners.count("partial"), len(winners) - winners.count("tie")
        found = {"n": len(winners), "ahead": ahead, "ties": winners.count("tie")}
        if not decided:
            return found
        share = share_of(ahead, decided)
        return {**found, "share": share.share, "low": share.low, "high": share.high}

    @property
    def state(self) -> dict[str, Any]:
        """Return everything that the projector draws."""
        rows = [[place, *result] for place, result in self.results.items()]
        about = {**self.settings, "work": self.work, "known": self.known}
        return {**about, "results": rows, "summary": self.summary}


def _is_cost(value: Any) -> TypeGuard[float]:
    return type(value) in (int, float) and math.isfinite(value)
