"""Find or compile the kernels of a problem, which are a ``.wasm`` file in ``assets/wasm``.

A file depends on the types of a problem's arrays, but not on their lengths.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from ..engine.algorithm import Limits, advance, rows_for, start
from ..notebook.pictures import scene_of
from ..problems import PROBLEMS, entry_of
from ..search.auto import advance_auto, policy_of, working
from ..search.settings import make_schedule
from ..search.traced_search import generator
from ..shipped import shipped
from .film import closing_frame, film
from .memory import type_of
from .pictures import pictures_of

FOLDER = shipped("assets", "wasm")
MANIFEST = FOLDER / "manifest.json"


@cache
def manifest() -> dict[str, dict[str, Any]]:
    """Return the manifest, which describes each problem's WebAssembly file."""
    return json.loads(MANIFEST.read_text("utf-8"))


def kernels_of(problem: Any) -> bytes:
    """Return the content of a problem's WebAssembly file."""
    return file_of(problem).read_bytes()


def file_of(problem: Any) -> Path:
    """Return the path of the WebAssembly file with the kernels of a problem.

    Raises
    ------
    ValueError
        There is no file for problems of this type.
    """
    entry = entry_of(problem)
    known = manifest().get(entry.id) if entry else None
    if entry is None or known is None or known["problem"] != hash_of(problem):
        raise ValueError(
            f"There is no WebAssembly file for this {type(problem).__name__}. "
            f"The files in assets/wasm are for: {', '.join(PROBLEMS)}, with the default options."
        )
    return FOLDER / f"{entry.id}.wasm"


def hash_of(record: Any) -> str:
    """Return a hash of the types of the arrays in a problem or state."""
    return hashlib.sha256(str(type_of(record)).encode()).hexdigest()[:16]


def compiled(problem: Any) -> dict[str, Any]:
    """Compile the functions that a page calls for a problem; return them by name."""
    schedule, rng = make_schedule(problem, k1=1, m1=1), generator(0)
    search, rows = start(problem, schedule, rng), rows_for(schedule, 1)
    advance(problem, schedule, search, rng, rows, Limits(1.0))
    by_search = make_schedule(problem, k1="auto")
    policy, room = policy_of(by_search, problem), working(by_search)
    advance_auto(problem, room, search, rng, rows_for(room, 1), Limits(1.0), policy)
    found = {"advance": _only(advance), "advance_auto": _only(advance_auto)}
    if (pictures := pictures_of(problem, scene_of(problem))) is not None:
        shown = problem, schedule, search, rng, pictures.picture, pictures.reel
        film(*shown, pictures.known)
        closing_frame(*shown, rows, 0, False)
        found |= {"film": _only(film), "closing_frame": _only(closing_frame)}
    return found


def _only(driver: Any) -> Any:
    """Return the compiled code of a driver, which must have one signature."""
    (found,) = driver.compiled.overloads.values()
    return found
