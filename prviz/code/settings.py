"""Settings of a search in Python, as arguments of :func:`prviz.run` and :func:`prviz.compare`."""

from __future__ import annotations

from ..engine.schedule import BY_SEARCH, NO_LIMIT, Level, Schedule
from ..experiments.runs.contender import Contender, Reinitialisation
from ..search.settings import ALL
from .script import literal


def level_code(level: Level) -> str:
    """Return Python code that makes a level, such as ``prviz.Level(1, 100, alpha=0.5)``."""
    given = [repr(level.size)] + ([] if level.repeats == NO_LIMIT else [f"{level.repeats}"])
    given += [f"{name}={literal(value)}" for name, value in _unusual(level).items()]
    return f"prviz.Level({', '.join(given)})"


def arguments(schedule: Schedule) -> dict[str, str]:
    """Return arguments of ``prviz.run`` for a schedule, as Python expressions.

    Full restarts, two levels with unlimited restarts, and searches that choose k_1 are written as
    ``k1``, ``m1``, ``alpha`` and so on. All other schedules are written as ``levels``.
    """
    levels = schedule.levels()
    if schedule.automatic:
        found = {"k1": BY_SEARCH, **_unusual(levels[0])}
        return {name: literal(value) for name, value in found.items()}
    if levels == [Level(levels[0].size)]:
        return {"k1": literal(ALL)}
    if len(levels) == 2 and levels == _two_level(*levels):
        first = levels[0]
        size = {} if first.size is None else {"k1": first.size}
        found = {**size, "m1": first.repeats, **_unusual(first)}
        return {name: literal(value) for name, value in found.items()}
    return {"levels": f"[{', '.join(map(level_code, levels))}]"}


def _two_level(first: Level, top: Level) -> list[Level]:
    """Return the two levels that ``prviz.run`` makes from the settings of the first level."""
    k, m, alpha, subset, probability = first
    # here no size is "auto", and only the first level can have a probability instead of a size
    assert k != BY_SEARCH and isinstance(top.size, int)
    return Schedule.two_level(k, m, top.size, alpha, probability, subset).levels()


def contender_code(contender: Contender) -> str:
    """Return Python code that makes a contender of ``prviz.compare``."""
    if not isinstance(contender, Reinitialisation):
        return f"prviz.baselines.{contender!r}"
    given = [f'"{name}": {value}' for name, value in arguments(contender.schedule).items()]
    return f"{{{', '.join(given)}}}"


def _unusual(level: Level) -> dict[str, float | str]:
    """Return α, sub-sets and probability, if they are not the default."""
    usual = Level._field_defaults
    found = {name: getattr(level, name) for name in ("alpha", "subset", "probability")}
    return {name: value for name, value in found.items() if value != usual[name]}
