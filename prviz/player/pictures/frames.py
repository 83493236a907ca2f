"""The format of frames, and its description for the browser.

A run is a sequence of *calls* of the local optimiser, and a call is a sequence of *frames*:

1. one REDRAW for each level that the call redraws, the outermost first (the top level restarts);
2. one ITERATE for each inner iteration of the local optimiser, up to the 24th; then for fewer and
   fewer iterations, but always for the last;
3. one KEPT or REVERTED for each level that decides at the end of the call, level 1 first, with the
   configuration after the decision.

Frames are little endian and packed. All frames of a run have the same size. A *layout* (JSON) lists
their fields with types and offsets; the browser needs no other knowledge about a problem. For m
levels and N variables, the fields are:

=============  ============  =====================================================================
field          type          meaning
=============  ============  =====================================================================
call           u4            number of the call, from 1
sub            u2            index of the frame in its call, from 0
iteration      u4            inner iteration, 0 before the first
event          u1            1 REDRAW, 2 ITERATE, 3 KEPT, 4 REVERTED
level          u1            level of the event, 0 for ITERATE
line           u1            line of Algorithm 1 just executed, from 1; 0 none
flags          u1            LAST: last frame of its call; NEW_BEST: the call found a new best
cost           f8            cost of the configuration shown, NaN if unknown
best           f8            lowest cost so far
iterations     f8            inner iterations so far
seconds        f8            CPU seconds of the search so far
checkpoints    f8 x m        cost of the checkpoint of level 1 ... m, +inf if there is none
counters       u4 x m        redraws done on level 1 ... m since the last redraw one level higher
chosen         u1 x (N+7)/8  bit set (lowest bit first) of the variables redrawn last in this call
...            any           the problem's channels, such as u16 positions, always as arrays
=============  ============  =====================================================================
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...engine.schedule import BY_SEARCH
from ...engine.trace import ROUNDING

SCHEMA = 1
REDRAW, ITERATE, KEPT, REVERTED = 1, 2, 3, 4
LAST, NEW_BEST = 1, 2
COORDINATES = 65535  # the largest uint16

_SCALARS = {
    "call": "u4",
    "sub": "u2",
    "iteration": "u4",
    "event": "u1",
    "level": "u1",
    "line": "u1",
    "flags": "u1",
    "cost": "f8",
    "best": "f8",
    "iterations": "f8",
    "seconds": "f8",
}


def layout_json(
    *,
    title: str,
    noun: tuple[str, str],
    cost: str,
    optimiser: str,
    n_variables: int,
    levels: Iterable[Any],
    world: Mapping[str, Sequence[float]],
    layers: Sequence[Mapping[str, Any]],
    channels: Iterable[tuple[str, str, int]],
    algorithm: Sequence[str] = (),
    best_known: float | None = None,
    solved_within: float | None = None,
    recorded: str | None = None,
    **words: str | None,
) -> dict[str, Any]:
    """Return the layout of a run's frames, ready for ``json.dumps``.

    Parameters
    ----------
    title, cost, optimiser : str
        Names for users: the problem, the cost, the local optimiser.
    noun : (str, str)
        Name of a variable, singular and plural, such as ``("centre", "centres")``.
    n_variables : int
        N.
    levels : iterable
        Level 1 first. Each has the attributes ``size`` and ``repeats`` (0 for no limit), and
        optionally ``probability`` and ``alpha``, as in :class:`prviz.engine.schedule.Level`.
    world : mapping
        ``{"x": (low, high), "y": (low, high)}``, the rectangle that u16 positions span.
    layers : sequence of mapping
        Layers, lowest first, each with a ``kind`` and its parameters. A layer's ``asset`` is
        fetched before the first picture, its ``lazy`` asset on request.
    channels : iterable of (name, type, count)
        The problem's own fields of a frame: flat arrays, with NumPy types (``"u2"``).
    algorithm : sequence of str
        The lines of Algorithm 1.
    best_known, solved_within : float, optional
        Lowest known cost, and the relative gap that counts as solved.
    recorded : str, optional
        Sentence to show while a recorded run plays.
    **words : str or None
        ``iteration`` is a special name for iterations of the optimiser, such as "epoch". ``shown``
        describes the part of the data that is drawn. If costs are negative log-likelihoods,
        ``chance_of`` names the object whose probability is e^−cost, such as "string".

    Raises
    ------
    ValueError
        There is no level, the world is empty, or two fields share a name.
    """
    levels = [_level(level) for level in levels]
    if not levels:
        raise ValueError("A layout needs at least one level.")
    dtype = _dtype(n_variables, len(levels), channels)
    for name, value in (("best_known", best_known), ("solved_within", solved_within)):
        if value is not None and not math.isfinite(value):
            raise ValueError(f"{name} must be finite or None, got {value}.")
    return {
        "schema": SCHEMA,
        "title": title,
        "noun": list(noun),
        "cost": cost,
        "optimiser": optimiser,
        "variables": int(n_variables),
        "levels": levels,
        "best_known": None if best_known is None else float(best_known),
        "rounding": ROUNDING,
        "solved_within": None if solved_within is None else float(solved_within),
        "frame_bytes": dtype.itemsize,
        "fields": [_field(name, dtype) for name in dtype.names or ()],
        "world": {axis: list(_span(world, axis)) for axis in ("x", "y")},
        "layers": [dict(layer) for layer in layers],
        "assets": _named(layers, "asset"),
        "recorded": recorded,
        **_given(lazy=_named(layers, "lazy"), **words),
        "algorithm": list(algorithm),
    }


def all_assets(layout: Mapping[str, Any]) -> list[str]:
    """Return the names of all static parts of a picture."""
    return [*layout["assets"], *layout.get("lazy", [])]


def frame_dtype(layout: Mapping[str, Any]) -> np.dtype:
    """Return the NumPy structured type of one frame of ``layout``."""
    fields = layout["fields"]
    return np.dtype(
        {
            "names": [field["name"] for field in fields],
            "formats": [_format(field) for field in fields],
            "offsets": [field["offset"] for field in fields],
            "itemsize": layout["frame_bytes"],
        }
    )


def empty_frames(layout: Mapping[str, Any], n_frames: int) -> np.ndarray:
    """Return frames of zeros to fill; the browser gets their ``tobytes()``."""
    return np.zeros(n_frames, frame_dtype(layout))


def encode_positions(xy: np.ndarray, world: Mapping[str, Sequence[float]]) -> np.ndarray:
    """Encode positions as pairs of u16, in which 0 and 65535 are the ends of the world.

    Parameters
    ----------
    xy : (n, 2) float
        Positions in data units; positions outside the world are moved to its edge.
    world : mapping
        ``{"x": (low, high), "y": (low, high)}``.

    Returns
    -------
    (n, 2) uint16
    """
    (x_low, x_high), (y_low, y_high) = _span(world, "x"), _span(world, "y")
    unit = (np.asarray(xy, float) - (x_low, y_low)) / (x_high - x_low, y_high - y_low)
    return np.rint(np.clip(unit, 0.0, 1.0) * COORDINATES).astype("<u2")


def decode_positions(encoded: np.ndarray, world: Mapping[str, Sequence[float]]) -> np.ndarray:
    """Decode :func:`encode_positions`, exact to half a step of the grid."""
    (x_low, x_high), (y_low, y_high) = _span(world, "x"), _span(world, "y")
    return encoded / COORDINATES * (x_high - x_low, y_high - y_low) + (x_low, y_low)


def world_of(points: np.ndarray, margin: float = 0.04) -> dict[str, list[float]]:
    """Return a square around the points, with a margin on every side.

    Parameters
    ----------
    points : (n, 2) float
    margin : float
        As a fraction of the longer side.
    """
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    middle, half = (low + high) / 2, max(float(np.max(high - low)), 1e-9) * (0.5 + margin)
    return {
        axis: [float(centre - half), float(centre + half)]
        for axis, centre in zip("xy", middle, strict=True)
    }


def encode_chosen(chosen: np.ndarray, n_variables: int) -> np.ndarray:
    """Return the bit set of the chosen variables: (⌈N/8⌉,) uint8, lowest bit first."""
    mask = np.zeros(n_variables, bool)
    mask[chosen] = True
    return np.packbits(mask, bitorder="little")


def encode_outcomes(
    level: np.ndarray, kept: np.ndarray, new_best: np.ndarray, kept_outermost: np.ndarray
) -> np.ndarray:
    """Return one byte per call, from which the timeline's lanes are drawn.

    Parameters
    ----------
    level : (calls,) int
        Outermost level that redrew (1 … 8), stored in the low three bits (0 means 8).
    kept, new_best, kept_outermost : (calls,) bool
        Whether level 1 kept the result (bit 3), whether the call is a new best (bit 4), and whether
        the outermost level with a decision kept its result (bit 5).

    Returns
    -------
    (calls,) uint8
    """
    flags = (np.asarray(kept, bool), np.asarray(new_best, bool), np.asarray(kept_outermost, bool))
    outcome = np.asarray(level).astype(np.uint8) & 7
    for bit, flag in enumerate(flags, start=3):
        outcome |= flag.astype(np.uint8) << bit
    return outcome


def _given(**parts: Any) -> dict[str, Any]:
    """Return the parts that are not empty or None."""
    return {name: part for name, part in parts.items() if part}


def _named(layers: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    return list(dict.fromkeys(layer[key] for layer in layers if key in layer))


def _level(level: Any) -> dict[str, Any]:
    size, repeats = getattr(level, "size", None), int(level.repeats)
    known = {"size": size if size in (None, BY_SEARCH) else int(size), "repeats": repeats}
    if (probability := getattr(level, "probability", None)) is not None:
        known["probability"] = float(probability)
    if alpha := getattr(level, "alpha", 0.0):
        known["alpha"] = float(alpha)
    return known


def _dtype(n_variables: int, m: int, channels: Iterable[tuple[str, str, int]]) -> np.dtype:
    arrays = [
        ("checkpoints", "f8", m),
        ("counters", "u4", m),
        ("chosen", "u1", -(-n_variables // 8)),
        *channels,
    ]
    names = [*_SCALARS, *(name for name, _, _ in arrays)]
    if len(set(names)) < len(names):
        raise ValueError(f"Every field of a frame needs a unique name: {', '.join(names)}.")
    return np.dtype(
        [(name, f"<{type_}") for name, type_ in _SCALARS.items()]
        + [(name, f"<{type_}", (count,)) for name, type_, count in arrays]
    )


def _format(field: Mapping[str, Any]) -> Any:
    type_ = f"<{field['type']}"
    return type_ if field["name"] in _SCALARS else (type_, (field["count"],))


def _field(name: str, dtype: np.dtype) -> dict[str, Any]:
    assert dtype.fields is not None  # every record type has fields
    kind, offset = dtype.fields[name][:2]
    count = kind.shape[0] if kind.shape else 1
    return {"name": name, "type": kind.base.str.lstrip("<|"), "offset": offset, "count": count}


def _span(world: Mapping[str, Sequence[float]], axis: str) -> tuple[float, float]:
    low, high = map(float, world[axis])
    if not low < high:
        raise ValueError(f"The world's {axis} must run from low to high, got {low} to {high}.")
    return low, high
