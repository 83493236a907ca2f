"""Python code that repeats races and tunings, and checks a hash of their exact results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..compare import Comparison
from ..experiments.runs.contender import Contender, Reinitialisation
from ..experiments.runs.runner import Budget
from ..tune import Tuning
from .runs import problem_part
from .script import Part, Script, call, literal
from .settings import arguments, contender_code

TIMED = "With a budget in CPU time, as in the race, the results depend on the machine."
WHOLE = "The same work per run gives the same result on every machine."


def race_script(
    title: str, origin: str, found: Comparison, budget: Budget, known: float | None
) -> Script:
    """Return Python code that repeats a race.

    Parameters
    ----------
    title : str
        Name of the problem.
    origin : str
        Python that makes the problem after ``import prviz``; empty if unknown.
    found : Comparison
        The race so far.
    budget : Budget
        Budget of each run in CPU seconds.
    known : float or None
        Lowest known cost.

    Raises
    ------
    ValueError
        There are no runs yet.
    """
    if not found.seeds:
        raise ValueError(
            "No seed has been run by all contenders yet, so there is nothing to repeat."
        )
    entries = [
        f"    {literal(name)}: {contender_code(each)}," for name, each in found.contenders.items()
    ]
    contenders = "\n".join(["contenders = {", *entries, "}"])
    seeds = found.seeds if found.seeds != [*range(len(found.seeds))] else len(found.seeds)
    goal = _goal(budget)
    options = [f"seeds={seeds}", f"seconds={budget.total!r}", *goal]
    timed = f"timed = {call('prviz.compare', 'problem', 'contenders', *options)}"
    parts = [
        problem_part(origin),
        Part("", contenders),
        _alike(found, f"seeds={seeds}", goal),
        Part(TIMED, timed),
    ]
    shown = "" if known is None else f"best_known={known!r}"
    return Script(f"Race: {title}", parts, "timed", f"timed.figure({shown})")


def _goal(budget: Budget) -> list[str]:
    return [] if math.isinf(budget.target) else [f"target={budget.target!r}"]


def _alike(found: Comparison, seeds: str, goal: Sequence[str]) -> Part:
    """Return the part that repeats all searches, up to the work that every run has done."""
    searches: dict[str, Contender] = {
        name: contender
        for name, contender in found.contenders.items()
        if isinstance(contender, Reinitialisation)
    }
    alike = Comparison(searches, "iterations", found.target)
    alike.seeds, alike.runs = found.seeds, {name: found.runs[name] for name in searches}
    work = int(alike.frontier())
    words = f"The first {work} iterations of all searches are the same on every machine."
    chosen, these = "", "contenders"
    if len(searches) < len(found.contenders):
        words += " Other methods may depend on the machine and on library versions."
        these = "searches"
        chosen = f"searches = {{name: contenders[name] for name in {literal([*searches])}}}\n"
    again = call("prviz.compare", "problem", these, seeds, f"work={work}", *goal)
    return Part(words, f'{chosen}found = {again}\nassert found.hash() == "{alike.hash()}"')


def tuning_script(
    title: str,
    origin: str,
    found: Tuning,
    given: Mapping[str, Sequence[Any]],
    seconds: float,
) -> Script:
    """Return Python code that repeats a tuning.

    Parameters
    ----------
    title, origin
        See :func:`race_script`.
    found : Tuning
        The tuning so far.
    given : mapping of str to sequence
        The values of the grid that do not depend on N.
    seconds : float
        Approximate time limit of the tuning.

    Raises
    ------
    ValueError
        There are no runs yet.
    """
    if not any(found.runs):
        raise ValueError("No run of this tuning has finished, so there is nothing to repeat.")
    whole, first = ran_out(found), found.rungs[0]
    options = [*_goal(found.budget), f"work={found.budget.total:.0f}", "store=None"]
    if not whole:
        options.append(f"seconds={seconds!r}")
    usual = f"usual={literal(found.cells[found.usual].settings)}"
    tune = f"found = {call('prviz.tune', 'problem', literal(given), usual, *options)}"
    if whole:
        words, checked = WHOLE, f'assert found.hash() == "{found.hash()}"'
    elif all(len(runs) >= first for runs in found.runs):
        words = (
            "The tuning ran out of time, so its last seeds depend on the machine. The first "
            f"{first} seeds of every setting repeat exactly."
        )
        checked = f'assert found.hash({first}) == "{found.hash(first)}"'
    else:
        words, checked = "The tuning was stopped early. This is one of its runs.", _one_run(found)
    best = "run = prviz.run(problem, **found.best)"
    end = Part("Search with the best setting and the default budget of 2 s.", best)
    parts = [problem_part(origin), Part(words, f"{tune}\n{checked}"), end]
    return Script(f"Tuning: {title}", parts, "found.words", "found.figure()")


def ran_out(found: Tuning) -> bool:
    """Return True if a tuning has ended because nothing was left to run."""
    return found.done and all(len(found.runs[cell]) >= found.rungs[-1] for cell in found.living)


def _one_run(found: Tuning) -> str:
    """Return Python code that repeats the leader's median run."""
    cell = found.leader
    assert cell is not None  # at least one run has ended
    seed, contender = found.median_seed(cell), found.cells[cell].contender
    assert seed is not None and isinstance(contender, Reinitialisation)
    run = found.runs[cell][seed]
    given = [f"{name}={value}" for name, value in arguments(contender.schedule).items()]
    given += [f"seed={seed}", f"iterations={found.budget.total:.0f}", *_goal(found.budget)]
    ended = f"({run.end_calls}, {float(run.best[-1])!r})"
    one = call("prviz.run", "problem", *given)
    return f"one = {one}\nassert (one.calls, one.best_cost) == {ended}"
