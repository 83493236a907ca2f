"""A question to a class: valid bets, and which bets are right."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

#: A number (infinite if the event never happens), a word, or a curve's height at each mark.
Bet = float | str | list[float]

KINDS = ("word", "number", "curve")
MOST_WORDS, MOST_CHOICE = 300, 40  # characters
MOST_CHOICES, MOST_MARKS, MOST_SEEDS = 8, 8, 1000
LARGEST = 1e12
NEAR = 0.2  # largest relative error of a right number, if there are no other seeds


class Refused(Exception):
    """A request that the class rejects, with an HTTP status."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class Question(NamedTuple):
    """A question.

    Attributes
    ----------
    words : str
    kind : "word", "number" or "curve"
    choices : tuple of str
        The words to choose from.
    unit : str
        Unit of a number, "%" for a gap.
    marks : tuple of float
        Positions at which people bet on a curve.
    high : float
        Top of a curve's axis.
    answer : bet, optional
        The answer of the shown run; hidden until it is revealed.
    seeds : tuple of bets
        The answers of other seeds or calls; also hidden.
    found : str
        The answer as text; also hidden.
    whose : str
        Description of ``seeds``, such as "100 seeds".
    searches : mapping, optional
        Fields of :class:`~prviz.lessons.asking.Curves` for the compared searches; "full" lists
        the searches with full restarts. Also hidden.
    """

    words: str
    kind: Literal["word", "number", "curve"]
    choices: tuple[str, ...] = ()
    unit: str = ""
    marks: tuple[float, ...] = ()
    high: float = 0.0
    answer: Bet | None = None
    seeds: tuple[Bet, ...] = ()
    found: str = ""
    whose: str = ""
    searches: Mapping[str, Any] | None = None

    @property
    def visible(self) -> dict[str, Any]:
        """Return the data that everyone may see before the answer."""
        shown = {"words": self.words, "kind": self.kind, "choices": self.choices}
        return {**shown, "unit": self.unit, "marks": self.marks, "high": self.high}

    def checked(self, bet: Any) -> Bet:
        """Return a valid bet; otherwise raise :class:`Refused`."""
        if self.kind == "word":
            if bet not in self.choices:
                raise Refused(400, f"Bet on one of: {', '.join(self.choices)}.")
            return str(bet)
        numbers = bet if self.kind == "curve" and isinstance(bet, list) else [bet]
        expected = len(self.marks) if self.kind == "curve" else 1
        if len(numbers) != expected or not all(map(_is_amount, numbers)):
            several = f"{expected} numbers" if self.kind == "curve" else "a number"
            raise Refused(400, f"Bet {several} between 0 and {LARGEST:g}.")
        return [float(one) for one in numbers] if self.kind == "curve" else float(bet)

    def is_right(self, bet: Bet) -> bool:
        """Return True if a bet is right.

        A word is right if it is the answer. A number is right if it is in the middle half of the
        seeds' answers, or, without seeds, within 20 % of the answer. A curve is right if it is
        right at more than half of its marks.
        """
        if self.kind == "word":
            return bet == self.answer
        if self.kind == "number":
            return _is_near(bet, self.answer, self.seeds)
        if not isinstance(bet, list):
            return False
        answer = self.answer if isinstance(self.answer, list) else [None] * len(bet)
        columns = [tuple(seed[i] for seed in self.seeds) for i in range(len(bet))]  # type: ignore[index]
        near = [_is_near(*each) for each in zip(bet, answer, columns, strict=True)]
        return 2 * sum(near) > len(near)


def parse(sent: Any) -> Question:
    """Return a question from a lecturer's JSON; raise :class:`Refused` if it is invalid."""
    if not isinstance(sent, Mapping):
        raise Refused(400, "A question must be a JSON object.")
    kind, choices = sent.get("kind"), sent.get("choices", [])
    if kind not in KINDS:
        raise Refused(400, f"kind must be one of {', '.join(KINDS)}, got {str(kind)[:20]!r}.")
    if not isinstance(choices, list) or len(choices) > MOST_CHOICES:
        raise Refused(400, f"choices must be a list of at most {MOST_CHOICES} words.")
    words = tuple(_text(each, MOST_CHOICE) for each in choices)
    if (kind == "word") != (len(words) > 1):
        raise Refused(400, 'kind "word" needs at least two choices; other kinds have none.')
    marks = sent.get("marks", [])
    if not isinstance(marks, list) or len(marks) > MOST_MARKS or not all(map(_is_amount, marks)):
        raise Refused(400, f"marks must be a list of at most {MOST_MARKS} numbers.")
    high = sent.get("high", 0)
    if not _is_amount(high) or (kind == "curve") != (len(marks) > 1 and high > 0):
        raise Refused(400, 'kind "curve" needs high > 0 and two marks or more; no other kind does.')
    asked = Question(
        _text(sent.get("words"), MOST_WORDS),
        kind,
        words,
        _text(sent.get("unit", ""), MOST_CHOICE),
        tuple(map(float, marks)),
        float(high),
    )
    return answered(asked, sent)


def answered(question: Question, sent: Mapping[str, Any]) -> Question:
    """Add the answer from the lecturer's page; raise :class:`Refused` if it is invalid."""
    answer, seeds = sent.get("answer"), sent.get("seeds", [])
    if not isinstance(seeds, list) or len(seeds) > MOST_SEEDS:
        raise Refused(400, f"seeds must be a list of at most {MOST_SEEDS} answers.")
    return question._replace(
        answer=question.answer if answer is None else question.checked(answer),
        seeds=tuple(question.checked(seed) for seed in seeds) or question.seeds,
        found=_text(sent.get("found", ""), MOST_WORDS) or question.found,
        whose=_text(sent.get("whose", ""), MOST_CHOICE) or question.whose,
    )


def plain(bet: Any) -> Any:
    """Return a bet as JSON types, with None for infinity."""
    if isinstance(bet, list | tuple):
        return [plain(one) for one in bet]
    return None if isinstance(bet, float) and math.isinf(bet) else bet


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise Refused(400, f"A text must be a string of at most {most} characters.")
    return value


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= LARGEST


def _is_near(bet: Any, answer: Any, seeds: tuple[Any, ...]) -> bool:
    if seeds:
        ordered = sorted(seeds)
        low, high = (ordered[math.ceil(q * len(ordered)) - 1] for q in (0.25, 0.75))
        return bool(low <= bet <= high)
    if answer is None or math.isinf(answer):
        return False
    return bool(abs(bet - answer) <= NEAR * abs(answer))
