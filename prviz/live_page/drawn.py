"""k-means problems on points that a reader draws in a page.

A page knows the number of points only after they are drawn. So plans for drawn points have shapes
such as ``"2n+64"``. ``static/draw/problem.js`` fills in the points, and the lengths and
numbers that depend on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..datasets.sets.drawn import DRAW, LABEL, SIDE, STARTER
from ..datasets.types.points import Points
from ..problems.kmeans.problem import kmeans
from ..scenes.kmeans import DOT, SQUARE, KMeansScene
from .memory import Content, Memory
from .plan import plan

CLUSTERS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)
DATA = "data"  # name of the control that chooses the data, as on the app's page
#: Numbers of a problem that depend on its points.
NUMBERS = ("cap", "unit", "longest")
#: Two data sizes. Their plans are compared to find the array lengths that depend on the size.
SIZES = (600, 800)


def drawn_plan(k: int, init: str, content: Content) -> dict[str, Any]:
    """Return the plan of a k-means problem with k centres whose points are not known yet.

    Parameters
    ----------
    k : int
    init : {"forgy", "k-means++"}
    content : Content
        Output: the content of arrays that do not depend on the points is added.
    """
    (about, held), (larger, _) = (_plan(k, init, n) for n in SIZES)
    for name, record in about["records"].items():
        for array, other in zip(record["arrays"], larger["records"][name]["arrays"], strict=True):
            pairs = zip(array["shape"], other["shape"], strict=True)
            array["shape"] = [one if one == two else _in_points(one, two) for one, two in pairs]
            if "from" not in array:
                continue
            begin, size = array.pop("from"), array.pop("bytes")
            if not any(re.search(r"\dn|^n", str(part)) for part in array["shape"]):
                known = np.frombuffer(held, np.uint8)[begin : begin + size]
                array["from"], array["bytes"] = content.add(known)
    about["records"]["problem"]["places"] = _places(k, init)
    about["layout"]["drawn"] = STARTER
    return {**about, "assets": {}}


def controls_of_drawing(given: tuple[str, str], clusters: Iterable[int]) -> list[dict[str, Any]]:
    """Return the controls that choose the data and the number of clusters.

    Parameters
    ----------
    given : (str, str)
        Value and label of the choice that shows the page's initial points.
    clusters : iterable of int
        Numbers of clusters to offer.
    """
    sizes = {str(k): str(k) for k in sorted(clusters)}
    points = {given[0]: given[1], DRAW: LABEL}
    return [
        _choice(DATA, "Data", "The points to cluster. Or draw points in the picture.", points),
        _choice("n_clusters", "Clusters", "N, the number of centres.", sizes),
    ]


def along_with(clusters: Mapping[str, int]) -> dict[str, dict[str, dict[str, str]]]:
    """Return the number of clusters to set for each choice of data."""
    return {DATA: {data: {"n_clusters": str(k)} for data, k in clusters.items()}}


def _choice(name: str, label: str, tip: str, choices: dict[str, str]) -> dict[str, Any]:
    about = {"label": label, "says": "", "help": tip, "stops": None}
    return {"name": name, **about, "choices": choices}


def _problem(k: int, init: str, n: int) -> tuple[Any, Any]:
    line = np.arange(n, dtype=float)
    points = np.column_stack([line, line[::-1]]) % SIDE
    problem = kmeans(points, k, init=init)
    dataset = Points(points, "drawn points", "drawn by hand")
    return problem, KMeansScene(dataset, problem, world=SQUARE, dot=DOT)


def _plan(k: int, init: str, n: int) -> tuple[dict[str, Any], bytes]:
    return plan(*_problem(k, init, n))


def _in_points(one: int, two: int) -> str:
    """Return a length as a linear formula in n, given its values for both ``SIZES``."""
    few, many = SIZES
    factor, rest = divmod(two - one, many - few)
    more = one - factor * few
    if rest or more < 0:
        raise ValueError(f"The lengths {one} and {two} are not linear in the number of points.")
    return f"{factor if factor > 1 else ''}n{f'+{more}' if more else ''}"


def _places(k: int, init: str) -> dict[str, int]:
    """Return the offsets of ``NUMBERS`` in the record of a problem."""
    memory = Memory(Content())
    memory.add("problem", _problem(k, init, SIZES[0])[0])
    return {name: memory.places["problem"][name] for name in NUMBERS}
