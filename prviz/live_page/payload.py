"""Pack the data of a live page as text."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.kernels import n_variables, subsets
from ..engine.schedule import Level, Schedule
from ..notebook.controls import Settings, stops
from ..player.pictures.film import Film
from ..player.pictures.frames import all_assets
from ..search.settings import make_schedule
from ..search.traced_search import TracedSearch
from .drawn import drawn_plan
from .memory import Content
from .plan import plan

MOST_M2 = 100


def payload(
    cases: Mapping[str, tuple[Any, Any]],
    by: Sequence[str] = (),
    drawn: Mapping[str, tuple[int, str]] = {},
) -> dict[str, Any]:
    """Return the plans, the content of arrays and the assets of problems of one type.

    Parameters
    ----------
    cases : mapping
        Problem and scene by key. A key consists of the values of ``by``, separated by slashes.
    by : sequence of str
        Names of the controls that choose the problem.
    drawn : mapping
        For k-means problems on points that readers draw: k and init by key.
    """
    content, plans = Content(), {}
    pool: dict[str, bytes] = {}
    for key, (problem, scene) in cases.items():
        about, _ = plan(problem, scene, content)
        names = {}
        for name in all_assets(about["layout"]):
            asset = scene.asset(name)
            same = [held for held, other in pool.items() if other == asset]
            names[name] = same[0] if same else f"{name} {len(pool)}"
            pool[names[name]] = asset
        plans[key] = {**about, "assets": names}
    plans |= {key: drawn_plan(k, init, content) for key, (k, init) in drawn.items()}
    lines = [
        f"{key}\t{json.dumps(plan, ensure_ascii=False, allow_nan=False)}\n"
        for key, plan in plans.items()
    ]
    return {
        "by": list(by),
        "plans": packed("".join(lines).encode()),  # a page reads only the lines that it needs
        "variables": max(plan["variables"] for plan in plans.values()),
        "content": packed(bytes(content.bytes)),
        "assets": {name: packed(asset) for name, asset in pool.items()},
    }


def first_picture(problem: Any, scene: Any, values: Mapping[str, Any], subset: str) -> str:
    """Return the last frame of the first call, packed, with its seconds set to 0.

    Parameters
    ----------
    problem, scene
    values : mapping
        Values of k1, m1, alpha, k2, m2 and seed.
    subset : str
        Sub-set heuristic.
    """
    search = TracedSearch(problem, schedule_of(problem, values, subset), values["seed"])
    search.step(calls=1)
    frame = Film(problem, search.schedule, scene).closing(search.search, search.trace(), 0, True)
    frame["seconds"] = 0.0
    return packed(frame.tobytes())


def schedule_of(problem: Any, values: Mapping[str, Any], subset: str) -> Schedule:
    """Return the schedule for the values of a page, like ``levelsOf`` in schedule.js."""
    N = n_variables(problem)
    if values.get("how") == "auto":
        return make_schedule(problem, k1="auto", subset=subset)
    first = Level(min(values["k1"], N), values["m1"], values["alpha"], subset)
    if first.size == N and not first.alpha:
        return make_schedule(problem, k1="all")
    k2 = values.get("k2", 0)
    second = [Level(k2, values["m2"], subset=subset)] if first.size < k2 < N else []
    return make_schedule(problem, levels=[first, *second, Level(N)])


def controls_of(
    problem: Any, noun: tuple[str, str], values: Mapping[str, Any], labels: Mapping[str, str] = {}
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the sliders of a problem, and their values.

    Parameters
    ----------
    problem
    noun : (str, str)
        Name of a variable, singular and plural.
    values : mapping
        Values of k1, m1, alpha and seed, and optionally of how, k2, m2 and subset.
    labels : mapping
        Labels of sub-set heuristics, by name.
    """
    N, names = n_variables(problem), [*subsets(problem)]
    how = {"how": values.get("how", "set")} if N > 1 else {}
    chosen = how | {name: values[name] for name in ("k1", "m1", "alpha")}
    chosen |= {"k2": values.get("k2", 0), "m2": values.get("m2", 10)} if N > 2 else {}
    if len(names) > 1:
        chosen["subset"] = values.get("subset", "random")
    chosen["seed"] = values["seed"]
    known = Settings(problem, noun, None, "random", chosen).controls()
    controls = {control["name"]: control for control in known}
    controls |= {control["name"]: control for control in _middle_level(N, noun[1])}
    controls["how"] = {
        "name": "how",
        "label": "Redraws",
        "says": "",
        "help": f"Set k₁, M₁ and α, or let the search choose how many {noun[1]} to redraw and when "
        "to restart.",
        "stops": None,
        "choices": {"set": "Set k₁, M₁, α", "auto": "Chosen by the search"},
    }
    controls["subset"] = {
        "name": "subset",
        "label": "Sub-sets",
        "says": f"which {noun[1]} are redrawn together",
        "help": f"How the {noun[1]} of a redraw are chosen.",
        "stops": None,
        "choices": {name: labels.get(name, name.capitalize()) for name in names},
    }
    return [controls[name] for name in chosen if name in controls], chosen


def _middle_level(N: int, noun: str) -> list[dict[str, Any]]:
    """Return sliders for a level between redraws and restarts."""
    return [
        {
            "name": "k2",
            "label": "k₂",
            "says": f"of {N} {noun} redrawn on level 2",
            "help": f"How many {noun} the middle level redraws. At 0 there is no middle level.",
            "stops": [0, *stops(max(N - 1, 1))[1:]],
        },
        {
            "name": "m2",
            "label": "M₂",
            "says": "redraws on level 2 per restart",
            "help": "Number of redraws of the middle level per full restart.",
            "stops": stops(MOST_M2),
        },
    ]


def packed(content: bytes) -> str:
    """Compress bytes with gzip, and return them as base64."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")
