"""Lesson plans: the order of the lessons, and the text that the lecturer says."""

from __future__ import annotations

from typing import Any, NamedTuple


class Step(NamedTuple):
    """A step of a plan.

    Attributes
    ----------
    stop : str
        Number of a lesson; "join" for the address, "search" for everyone's own search.
    minutes : float
    say : str
        What the lecturer says before the class bets.
    ask, expect, then : str
        Question, expected answer, and what to say after it; empty if the lesson has them.
    """

    stop: str
    minutes: float
    say: str
    ask: str = ""
    expect: str = ""
    then: str = ""

    @property
    def noted(self) -> dict[str, Any]:
        """Return the parts of the step that the lecturer's notes show."""
        own = {"ask": self.ask, "expect": self.expect, "after": self.then}
        told = {name: text for name, text in own.items() if text}
        return {"say": self.say, "minutes": self.minutes, **told}


_JOIN = (
    "Scan the code, or open the address on your phone. Each of you is a colour and an animal. You "
    "will bet before you see what a search does."
)
_STUCK = (
    "k-means moves each of 50 centres to the middle of its points until nothing moves. Then it is "
    "stuck: some clusters have two centres, others none. This descent stops at 115 % above the "
    "best known cost. Now the search restarts from 50 other points."
)
_REDRAW = (
    "Instead of all centres, this search moves one centre to a random point, and runs Lloyd again. "
    "If the cost is no higher, it keeps the result. Otherwise it goes back to the checkpoint."
)
_HOW_MANY = (
    "How much should one redraw change? Four searches do the same work: they redraw one centre, "
    "five, 25, or only nudge one. You see the search that redraws one centre. The answer shows all "
    "four."
)


_EXPECTED = (
    "With k₁ from 1 to 10 and M₁ of at least 100, nearly all partial searches end lower. With "
    "M₁ = 5, about half do. With k₁ = 50, all centres, there are only ties."
)


def _search(minutes: float) -> Step:
    return Step(
        "search",
        minutes,
        "Now you are the experiment: each of you has a different seed. Choose k₁ and M₁, and press "
        "Search. Your phone runs a partial search and full restarts with equal work.",
        "Does partial reinitialisation end lower than full restarts with the same work?",
        _EXPECTED,
        "Nobody chose the seeds. You are the experiment: each new result narrowed the interval.",
    )


#: Plans by name; the name is the number of minutes.
PLANS: dict[str, tuple[Step, ...]] = {
    "10": (
        Step("join", 2, _JOIN),
        Step("1", 2, _STUCK),
        Step("3", 2, _REDRAW),
        Step("4", 2, _HOW_MANY),
        _search(2),
    ),
    "45": (
        Step("join", 3, _JOIN),
        Step("1", 4, _STUCK),
        Step(
            "2",
            5,
            "The usual remedy is to restart many times and keep the best. Here are five restarts. "
            "A restart forgets all centres, including the good ones. Draw the curve that you "
            "expect.",
        ),
        Step("3", 4, _REDRAW),
        Step("4", 4, _HOW_MANY),
        Step(
            "5",
            4,
            "Early in a search, many redraws are kept. The better the configuration, the more a "
            "redraw can destroy.",
        ),
        Step(
            "6",
            5,
            "If a redraw improves with probability ε, M redraws all fail with probability "
            "(1 − ε)^M. Of the last 50 calls that you see, three found a new best. So ε is about "
            "0.06.",
        ),
        Step(
            "7",
            5,
            "At first a restart is as good as a redraw: there is little to keep. Later there is "
            "much to keep, so the two curves cross.",
        ),
        Step(
            "8",
            5,
            "Redraws can be nested: 20 redraws of one centre, then ten centres at once. If the "
            "next 20 redraws do not make up for that change, it is reverted with them.",
        ),
        _search(6),
    ),
}


def step_of(plan: str, stop: str) -> Step | None:
    """Return the step of a plan at a stop, if there is one."""
    return next((step for step in PLANS.get(plan, ()) if step.stop == stop), None)


def stop_after(plan: str, stop: str) -> str:
    """Return the stop that follows ``stop``; empty at the end, or without a plan."""
    stops = [step.stop for step in PLANS.get(plan, ())]
    at = stops.index(stop) + 1 if stop in stops else len(stops)
    return stops[at] if at < len(stops) else ""
