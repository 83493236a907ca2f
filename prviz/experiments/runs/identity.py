"""Compute the key of a run, by which a stored run is found again."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ...custom.callables import of_functions
from ...engine.cache import unit_of
from ...search.saved import bytes_of
from .improvements import Improvements
from .runner import Budget

#: Increase this number if equal seeds give different runs than before, so that old stored runs are
#: not reused. ``tests/engine/test_machines.py`` fails if an edit makes this necessary.
ENGINE = 1


def hash_of_problem(problem: Any) -> str:
    """Return a hash of a problem's kind, its arrays and its numbers.

    For a problem defined outside prviz, the hash includes its source files, which :data:`ENGINE`
    does not cover.

    Raises
    ------
    TypeError, ValueError
        A field cannot be hashed, the problem was defined at the prompt, or it has wrapped
        functions.
    """
    if of_functions(problem):
        raise ValueError(
            "Runs of wrapped functions cannot be stored, because the functions may change. Pass "
            "store=None."
        )
    kind = type(problem)
    source = "prviz" if kind.__module__.startswith("prviz.") else unit_of(kind.__module__)
    if source is None:
        raise ValueError(
            f"Runs of {kind.__name__} cannot be stored, because the code at the prompt may "
            f"change. Define it in a file and import it."
        )
    digest = hashlib.sha256(source.encode())
    for part in _parts(problem):
        digest.update(part)
    return digest.hexdigest()[:32]


def _parts(value: Any) -> Iterator[bytes]:
    """Yield the bytes of a value, in unambiguous pieces."""
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        yield from bytes_of(value)
    elif isinstance(value, tuple):
        yield f"{type(value).__qualname__}({len(value)}".encode()
        for field in value:
            yield from _parts(field)
    elif value is None or isinstance(value, bool | int | float | str | bytes | np.generic):
        said = repr(value).encode()
        yield f"{len(said)}:".encode() + said
    else:
        raise TypeError(
            "Only problems of arrays, numbers and strings can be stored; this one has "
            f"a {type(value).__name__}."
        )


def json_of_settings(settings: Mapping[str, Any]) -> str:
    """Return the settings of a contender as JSON; equal contenders have equal texts."""
    return json.dumps(settings, sort_keys=True, ensure_ascii=False)


def key_of(problem: str, settings: str, seed: int, budget: Budget, clock: str) -> str:
    """Return the key of a run.

    Parameters
    ----------
    problem : str
        Hash of the problem.
    settings : str
        Settings of the contender, in JSON.
    seed : int
    budget : Budget
    clock : str
        Processor and other conditions of timing, which matter if the budget is in seconds.
    """
    parts = [problem, settings, seed, *budget, ENGINE]
    if budget.axis == "seconds":
        parts.append(clock)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def hash_of_runs(runs: Iterable[tuple[str, int, Improvements]], work: float = math.inf) -> str:
    """Return a short hash of runs with their settings and seeds, without seconds.

    Runs are hashed up to ``work`` iterations, so continuing a run does not change its hash.
    """
    digest = hashlib.sha256()
    for name, seed, run in runs:
        until = int(np.searchsorted(run.iterations, work, side="right"))
        digest.update(json.dumps([name, seed, until]).encode())
        for column in (run.calls, run.iterations, run.best):
            digest.update(np.ascontiguousarray(column[:until]).tobytes())
    return digest.hexdigest()[:16]
