"""Questions of lessons: how runs answer them, and how bets and answers are described."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..engine.trace import KEPT, ROUNDING, Trace, gap_to, improves
from .lesson import Lesson, Question

#: A number (infinite if the event never happens), a word, or a curve's height at each of ``marks``.
Answer = float | str | list[float]

HALF = (0.25, 0.75)  # the middle half of the seeds, shown as a band
HALF_SAID = "Half: the seeds between the lower and the upper quartile, shaded."


class Runs(NamedTuple):
    """The runs of one seed, from which a question is answered.

    Attributes
    ----------
    question : Question
    known : float
        Lowest known cost, the reference of gaps.
    traces : dict of str to Trace
        Traces by name; the lesson's own search is first.
    """

    question: Question
    known: float
    traces: Mapping[str, Trace]

    @property
    def own(self) -> Trace:
        return next(iter(self.traces.values()))

    def gap(self, cost: Any) -> Any:
        """Return the gap to the known cost in per cent; if the known cost is 0, the cost itself."""
        share = 100.0 if self.known else 1.0
        return share * np.maximum(gap_to(self.known, cost), 0.0)


class Kind(NamedTuple):
    """A kind of question.

    Attributes
    ----------
    bets : "number", "word" or "curve"
    unit : str
        Unit of a number, "%" for a gap.
    needs : tuple of str
        Required fields of :class:`Question`.
    answer : function of Runs
    words : tuple of str
        Possible answers; empty if the answer is the name of a search.
    rivals : int
        Required number of searches to compare with.
    """

    bets: Literal["number", "word", "curve"]
    unit: str
    needs: tuple[str, ...]
    answer: Callable[[Runs], Answer]
    words: tuple[str, ...] = ()
    rivals: int = 0


def _gap(runs: Runs) -> float:
    """Return the gap of the cost at the end of the question's call."""
    return float(runs.gap(runs.own.cost[runs.question.call - 1]))


def _lowest(runs: Runs) -> float:
    """Return the gap of the best so far after the question's call."""
    return float(runs.gap(runs.own.best[runs.question.call - 1]))


def _curve(runs: Runs) -> list[float]:
    """Return the gap of the best so far at every mark."""
    return [float(runs.gap(runs.own.best[mark - 1])) for mark in runs.question.marks]


def _kept(runs: Runs) -> str:
    return "kept" if runs.own.kept[runs.question.call - 1, 0] == KEPT else "reverted"


def _number_kept(runs: Runs) -> float:
    """Return the number of kept redraws from the question's first call to its last."""
    first, last = runs.question.call, runs.question.last
    return float((runs.own.kept[first - 1 : last, 0] == KEPT).sum())


def _until_improved(runs: Runs) -> float:
    """Return the number of calls from the question's call until the best so far falls."""
    best, call = runs.own.best, runs.question.call
    return _first(improves(best[call:], best[call - 1], best[0]))


def _until_solved(runs: Runs) -> float:
    """Return the number of calls until the gap is at most ``question.within``."""
    return _first(runs.gap(runs.own.best) <= runs.question.within)


def _first(true: np.ndarray) -> float:
    found = np.flatnonzero(true)
    return float(found[0] + 1) if len(found) else math.inf


def _crossover(runs: Runs) -> float:
    """Return the iterations from which the first search has lower costs than the second."""
    (own, other) = (_best_by_work(trace) for trace in list(runs.traces.values())[:2])
    end = min(own[0][-1], other[0][-1])
    works = np.union1d(own[0], other[0])
    works = works[works <= end]
    least = ROUNDING * abs(own[1][0])
    behind = works[_at(own, works) >= _at(other, works) - least]
    if not len(behind):
        return float(works[0])
    ahead = works[works > behind[-1]]
    return float(ahead[0]) if len(ahead) else math.inf


def _winner(runs: Runs) -> str:
    """Return the name of the search with the lowest cost after the question's iterations."""
    work = runs.question.work

    def place(name: str) -> tuple[float, float]:
        works, best = _best_by_work(runs.traces[name])
        cost = float(_at((works, best), np.array([work]))[0])
        alike = ~improves(cost, best, best[0]) & ~improves(best, cost, best[0])
        return round(float(gap_to(runs.known, cost)), 9), float(
            works[alike][0]
        ) if alike.any() else math.inf

    return min(runs.traces, key=place)


def _best_by_work(trace: Trace) -> tuple[np.ndarray, np.ndarray]:
    """Return iterations at the end of each call, and the best cost so far, as a step function."""
    return np.cumsum(trace.iterations, dtype=float), trace.best


def _at(steps: tuple[np.ndarray, np.ndarray], works: np.ndarray) -> np.ndarray:
    """Return the best cost after an amount of work; infinite before the first call has ended."""
    ended = np.searchsorted(steps[0], works, side="right")
    return np.append(np.inf, steps[1])[ended]


KINDS = {
    "gap": Kind("number", "%", ("call",), _gap),
    "lowest": Kind("number", "%", ("call",), _lowest),
    "curve": Kind("curve", "%", ("marks",), _curve),
    "kept": Kind("word", "", ("call",), _kept, ("kept", "reverted")),
    "number_kept": Kind("number", "redraws", ("call", "last"), _number_kept),
    "until_improved": Kind("number", "calls", ("call",), _until_improved),
    "until_solved": Kind("number", "calls", ("within",), _until_solved),
    "crossover": Kind("number", "iterations", (), _crossover, (), 1),
    "winner": Kind("word", "", ("work",), _winner, (), 1),
}


class Curves(NamedTuple):
    """Median curves of a lesson's searches, over the amounts of work that all runs cover.

    Attributes
    ----------
    works : list of float
        Iterations of the local optimiser, ascending.
    gaps : dict of str to list of float
        For each search, the median gap of the best so far (:meth:`Runs.gap`).
    """

    works: list[float]
    gaps: dict[str, list[float]]


def curves_of(each: Sequence[Runs], marks: int = 40) -> Curves | None:
    """Return the median curve of each search; None if there is only one search."""
    if not each or len(each[0].traces) < 2:
        return None
    steps = {name: [_best_by_work(runs.traces[name]) for runs in each] for name in each[0].traces}
    all_ = [one for found in steps.values() for one in found]
    end = min(works[-1] for works, _ in all_)
    works = np.geomspace(max(works[0] for works, _ in all_), end, marks).round()
    gaps = {
        name: np.median([each[0].gap(_at(one, works)) for one in found], axis=0).round(3).tolist()
        for name, found in steps.items()
    }
    return Curves(works.tolist(), gaps)


class Answers:
    """The answers for all seeds of a lesson.

    Attributes
    ----------
    lesson : Lesson
    seed : int
        The seed of the lesson's run.
    this : float, str or list of float
        The answer of this seed.
    all : list
        The answer of each seed.
    curves : Curves or None
        The median curve of each search, if the lesson has several searches.
    """

    def __init__(
        self, lesson: Lesson, this: Answer, all: Sequence[Answer], curves: Curves | None = None
    ):
        assert lesson.question is not None
        self.lesson, self.this, self.all, self.curves = lesson, this, list(all), curves
        self.question: Question = lesson.question
        self.kind = KINDS[self.question.kind]
        self.seed = lesson.settings.seed

    @property
    def n(self) -> int:
        return len(self.all)

    def words(self) -> list[str]:
        """Return the possible words."""
        return words_of(self.lesson)

    def checked(self, bet: Any) -> Answer:
        """Check a bet; raise a ValueError that names the expected form."""
        return checked(self.lesson, bet)

    def middle(self) -> tuple[Any, Any, Any]:
        """Return lower quartile, median and upper quartile of all answers; for curves, per mark."""
        ends = (HALF[0], 0.5, HALF[1])
        at = [np.quantile(self._numbers(), q, axis=0, method="inverted_cdf") for q in ends]
        low, median, high = (each.tolist() for each in at)
        return low, median, high

    def counts(self) -> dict[str, int]:
        """Return the frequency of each word."""
        return {word: self.all.count(word) for word in self.words()}

    @property
    def call(self) -> int:
        """Return the call that shows the answer; 0 if no single call does."""
        call, number = self.question.call, 0.0
        if isinstance(self.this, int | float):
            number = self.this
        at = {
            "gap": call,
            "kept": call,
            "number_kept": self.question.last,
            "until_improved": call + number,
            "until_solved": number,
        }.get(self.question.kind, 0)
        return int(at) if math.isfinite(at) else 0

    def found(self) -> str:
        """Describe the answer of this seed, and the distribution over all seeds."""
        of = f"of {self.n} seeds"
        this = self.this
        if isinstance(this, str):
            counted = ", ".join(f"{word} ({count})" for word, count in self.counts().items())
            return f"This seed: {this}; seeds per answer (n = {self.n}): {counted}."
        low, _, high = self.middle()
        if isinstance(this, list):
            last = self.question.marks[-1]
            between = f"{amount(low[-1], '')}–{amount(high[-1], '%')}"
            end = amount(this[-1], "%")
            return f"After {last} calls, this seed: {end}; middle half {of}: {between}."
        never = np.isinf(self._numbers()).sum()
        summary = f"This seed: {self._amount(this)}; middle half {of}: {self._span(low, high)}."
        late = f" {never} of the seeds needed more than {self._calls()}." if never else ""
        return summary + late

    def told(self, bet: Answer, who: str = "You") -> str:
        """Return a bet as text."""
        if isinstance(bet, str):
            return f"{who}: {bet}."
        if isinstance(bet, list):
            return f"{who}: {amount(bet[-1], '%')} at the end."
        return f"{who}: {amount(bet, self.kind.unit)}."

    def compared(self, bet: Answer, who: str = "You") -> str:
        """Describe the bet, the answers, and the distance of the bet from them."""
        if isinstance(bet, str):
            return f"{self.told(bet, who)} {self.found()}"
        low, _, high = self.middle()
        if isinstance(bet, list):
            inside = sum(a <= b <= c for a, b, c in zip(low, bet, high, strict=True))
            near = f"Your curve lies within that half at {inside} of {len(bet)} marks."
            return f"{self.told(bet, who)} {self.found()} {near}"
        lower = (self._numbers() < bet).sum()
        near = f"{lower} of {self.n} answers are lower than your bet."
        if low <= bet <= high:
            near = "Your bet lies within that half."
        return f"{self.told(bet, who)} {self.found()} {near}"

    def _numbers(self) -> np.ndarray:
        """Return the seeds' answers as an array: (n,) for numbers, (n, marks) for curves."""
        return np.asarray(self.all, float)

    def _span(self, low: float, high: float) -> str:
        if math.isinf(high):
            return f"more than {amount(low, self.kind.unit)}"
        if low == high:
            return amount(low, self.kind.unit)
        return f"{amount(low, '')}–{amount(high, self.kind.unit)}"

    def _amount(self, value: float) -> str:
        if math.isinf(value):
            return f"more than {self._calls()}"
        return amount(value, self.kind.unit)

    def _calls(self) -> str:
        """Return the largest possible number of calls, as text."""
        before = self.question.call if self.question.kind == "until_improved" else 0
        return amount(self.lesson.settings.calls - before, "calls")


def words_of(lesson: Lesson) -> list[str]:
    """Return the possible words of a lesson's question."""
    assert lesson.question is not None
    return list(KINDS[lesson.question.kind].words or lesson.rivals)


def checked(lesson: Lesson, bet: Any) -> Answer:
    """Check a bet on a lesson; raise a ValueError that names the expected form."""
    assert lesson.question is not None
    kind, marks = KINDS[lesson.question.kind], lesson.question.marks
    if kind.bets == "word":
        if bet not in words_of(lesson):
            raise ValueError(f"Bet on one of: {', '.join(words_of(lesson))}.")
        return str(bet)
    numbers = bet if kind.bets == "curve" and isinstance(bet, list | tuple) else [bet]
    expected = f"{len(marks)} numbers" if kind.bets == "curve" else "a number"
    sound = all(type(one) in (int, float) and 0 <= one < 1e12 for one in numbers)
    if not sound or len(numbers) != (len(marks) if kind.bets == "curve" else 1):
        raise ValueError(f"Bet {expected} of {kind.unit}, 0 or more.")
    found = [float(one) for one in numbers]
    return found if kind.bets == "curve" else found[0]


def amount(value: float, unit: str) -> str:
    """Format a number with its unit: "1 200 calls", "6.3 %"."""
    shown = f"{value:,.0f}".replace(",", "\u202f") if _is_whole(value) else f"{value:.3g}"
    if unit == "%":
        return f"{shown} %"
    return f"{shown} {unit}".strip() if value != 1 else f"{shown} {unit.removesuffix('s')}".strip()


def _is_whole(value: float) -> bool:
    return float(value).is_integer() or abs(value) >= 100
