"""Lesson plans: which lessons a class goes through, and what the lecturer says."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A step of a plan.

    Attributes
    ----------
    stop : str
        Number of a lesson; "join" for the address, "search" for everyone's own search.
    minutes : float
    say : str
        What the lecturer says before the class bets.
    """

    stop: str
    minutes: float
    say: str


_JOIN = (
    "Scan the code, or open the address on your phone. Each of you is a colour and an animal. You "
    "will bet before you see what a search does."
)
_SEARCH = (
    "Now you are the experiment: each of you has another seed. Choose k₁ and M₁, and press Search. "
    "Your phone runs a partial search and full restarts with equal work."
)
_STUCK = (
    "k-means moves each of 50 centres to the middle of its points until nothing moves. It is "
    "stuck: some clusters have two centres, others none. Now it restarts from 50 other points."
)
_REDRAW = (
    "Instead of all centres, this search moves one to a random point, and runs Lloyd again. If the "
    "cost is no higher, it keeps the result. Otherwise it goes back to the checkpoint."
)
_HOW_MANY = (
    "How much should one redraw change? Four searches do the same work: they redraw one centre, "
    "five, 25, or only nudge one."
)

#: Plans by their name, the number of minutes.
PLANS: dict[str, tuple[Step, ...]] = {
    "10": (
        Step("join", 2, _JOIN),
        Step("1", 2, _STUCK),
        Step("3", 2, _REDRAW),
        Step("4", 2, _HOW_MANY),
        Step("search", 2, _SEARCH),
    ),
    "45": (
        Step("join", 3, _JOIN),
        Step("1", 4, _STUCK),
        Step(
            "2",
            5,
            "The usual remedy is to restart many times and keep the best. Here are five restarts. "
            "A restart forgets all centres, also the good ones. Draw the curve that you expect.",
        ),
        Step("3", 4, _REDRAW),
        Step("4", 4, _HOW_MANY),
        Step(
            "5",
            4,
            "Each call has a mark in the lanes: kept or reverted. At first many are kept. The "
            "better the configuration, the more a redraw can destroy.",
        ),
        Step(
            "6",
            5,
            "If a redraw improves with probability ε, M redraws all fail with probability "
            "(1 − ε)^M. A dot above a call is a new best. Count the dots of the last 50 calls, and "
            "divide by 50: that is ε.",
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
            "next 20 redraws do not make up for it, the search reverts all of them.",
        ),
        Step("search", 6, _SEARCH),
    ),
}


def step_of(plan: str, stop: str) -> Step | None:
    """Return the step of a plan at a stop, if there is one."""
    return next((step for step in PLANS.get(plan, ()) if step.stop == stop), None)


def stop_after(plan: str, stop: str) -> str:
    """Return the stop after another; empty at the end, or without a plan."""
    stops = [step.stop for step in PLANS.get(plan, ())]
    at = stops.index(stop) + 1 if stop in stops else len(stops)
    return stops[at] if at < len(stops) else ""
