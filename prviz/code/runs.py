"""Python code that repeats a live run up to its present call, and checks the trace's hash."""

from __future__ import annotations

from typing import NamedTuple

from ..engine.schedule import Schedule
from .script import Part, Script, call
from .settings import arguments

UNKNOWN = "# problem = …"
GIVEN = "The problem is the argument of `prviz.play`. Run this below the cell that defines it."
SAME = (
    "The same seed and number of calls give the same trace on every machine, except for its "
    "seconds."
)
BESIDE = "Full restarts from the same seed, which the page shows for comparison."
WITHOUT_MIDDLE = "The same search without middle levels, which the page shows for comparison."


class Made(NamedTuple):
    """A search so far: levels, seed, number of calls, and hash of the trace."""

    schedule: Schedule
    seed: int
    calls: int
    hash: str


def problem_part(origin: str) -> Part:
    """Return the part that makes the problem, if its code is known."""
    if not origin:
        return Part(GIVEN, f"import prviz\n\n{UNKNOWN}")
    return Part("", f"import prviz\n\n{origin}")


def run_script(title: str, origin: str, search: Made, beside: Made | None = None) -> Script:
    """Return Python code that repeats a run.

    Parameters
    ----------
    title : str
        Name of the problem.
    origin : str
        Python that makes the problem after ``import prviz``; empty if unknown.
    search : Made
    beside : Made, optional
        The search that is shown for comparison: full restarts, or fewer levels.

    Raises
    ------
    ValueError
        No call has finished.
    """
    if not search.calls:
        raise ValueError("No call of this run has finished yet, so there is nothing to repeat.")
    parts = [problem_part(origin), Part(SAME, _checked("run", search))]
    if beside and beside.calls:
        restarts = beside.schedule.n_levels == 1
        said, name = (BESIDE, "full") if restarts else (WITHOUT_MIDDLE, "without_middle")
        parts.append(Part(said, _checked(name, beside)))
    calls = "1 call" if search.calls == 1 else f"{search.calls} calls"
    named = f"{title}: seed {search.seed}, {calls}"
    return Script(named, parts, "run", "run.figure()")


def _checked(name: str, made: Made) -> str:
    given = [f"{each}={value}" for each, value in arguments(made.schedule).items()]
    run = call("prviz.run", "problem", *given, f"seed={made.seed}", f"calls={made.calls}")
    return f'{name} = {run}\nassert {name}.trace.hash() == "{made.hash}"'
