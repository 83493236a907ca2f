"""Options of a search on the command line: k₁, M₁, α and others, or levels."""

from __future__ import annotations

import argparse
import math
import re
from typing import Any

from ...engine.schedule import ENDLESS, Level
from ...search.settings import SETTINGS

_LEVEL = re.compile(r"([\d.]+)(?:x(\d+|inf))?(?:@([\d.]+))?(?:/([\w-]+))?")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of :func:`prviz.run`, with the same names."""
    parser.add_argument(
        "--k1",
        type=size,
        metavar="K",
        help='number of variables to redraw at a time; "all" makes full restarts; with "auto", the '
        "search chooses (default, unless --m1 is given)",
    )
    parser.add_argument(
        "--m1",
        type=whole_or_inf,
        metavar="M",
        help="partial redraws per full restart (100 if --k1 is a number); inf means no restarts",
    )
    parser.add_argument(
        "--alpha",
        type=float,
        metavar="A",
        help="share of the old value that a redrawn variable keeps (0)",
    )
    parser.add_argument(
        "--probability",
        type=float,
        metavar="P",
        help="probability to redraw each variable, instead of --k1",
    )
    parser.add_argument("--subset", help="how the redrawn variables are chosen (random)")
    parser.add_argument(
        "--levels",
        type=level,
        nargs="+",
        metavar="LEVEL",
        help="hierarchy instead of the options above: KxM per level, level 1 first, such as "
        "1x100 5x10 50. A K with a decimal point is a probability. @ALPHA and /SUBSET may "
        "follow, as in 5x10@0.2/local",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the options for many runs: the number of parallel runs, and a Dask scheduler."""
    parser.add_argument(
        "--workers", type=int, help="number of parallel runs (default: number of cores)"
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="run on the workers of this Dask scheduler, such as tcp://10.0.0.5:8786",
    )


def settings_of(given: argparse.Namespace) -> dict[str, Any]:
    """Return the given options as arguments of :func:`prviz.run`."""
    found = {name: getattr(given, name) for name in SETTINGS}
    return {name: value for name, value in found.items() if value is not None}


def size(text: str) -> int | str:
    """Parse k₁: a number, or a text that :func:`prviz.run` checks."""
    try:
        return int(text)
    except ValueError:
        return text


def whole_or_inf(text: str) -> float:
    """Parse M₁: a number, or "inf"."""
    return math.inf if text == "inf" else int(text)


def level(text: str) -> Level:
    """Parse ``KxM@ALPHA/SUBSET``."""
    try:
        return _level(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"a level is KxM, such as 1x100, or K alone for the top level, got {text!r}"
        ) from None


def _level(text: str) -> Level:
    if not (parts := _LEVEL.fullmatch(text)):
        raise ValueError(text)
    size, repeats, alpha, subset = parts.groups()
    whole = "." not in size
    return Level(
        int(size) if whole else None,
        ENDLESS if repeats == "inf" else int(repeats or 0),
        float(alpha or 0),
        subset or "random",
        None if whole else float(size),
    )


def level_words(found: Level) -> str:
    """Format a level so that :func:`level` can read it."""
    size = found.size if found.probability is None else float(found.probability)
    repeats = "inf" if found.repeats == ENDLESS else found.repeats
    words = f"{size}x{repeats}" if repeats else f"{size}"
    words += f"@{found.alpha:g}" if found.alpha else ""
    return words + (f"/{found.subset}" if found.subset != "random" else "")
