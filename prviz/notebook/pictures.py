"""Which picture a problem has, and what is known of its data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..custom.callables import of_functions
from ..datasets.types.couplings import Couplings
from ..datasets.types.examples import Examples
from ..datasets.types.matrices import Dissimilarities
from ..datasets.types.points import Points
from ..datasets.types.strings import Corpus, Symbols
from ..player.pictures.protocols import Scene
from ..problems import entry_of

YOURS = "in memory"


def scene_of(problem: Any, data: Any = None) -> Scene:
    """The picture of a problem.

    Parameters
    ----------
    problem
        As :func:`prviz.kmeans` makes it.
    data : optional
        The data set that it was made of, which has a name and perhaps the truth.

    Raises
    ------
    ValueError, TypeError
        It has no picture, or the data are not those of the problem: a sentence.
    """
    if of_functions(problem):
        from ..scenes.wrapped import WrappedScene

        return WrappedScene(problem)
    entry = entry_of(problem)
    made = _SCENES.get(entry.id) if entry else None
    if made is None:
        known = ", ".join(f"prviz.{name}" for name in _SCENES)
        raise TypeError(
            f"There is no picture of a {type(problem).__name__}: prviz.play shows what {known}, "
            "prviz.wrap make; prviz.run searches anything."
        )
    return made(problem, data)


def _kmeans(problem: Any, data: Points | None) -> Scene:
    from ..scenes.kmeans import KMeansScene

    named = _given(data, Points) or Points(problem.points, _many(problem.points, "point"), YOURS)
    _same(named.points, problem.points)
    return KMeansScene(named, problem)


def _hmm(problem: Any, data: Symbols | Corpus | None) -> Scene:
    from ..scenes.hmm import HMMScene

    symbols = tuple(str(symbol) for symbol in range(problem.n_symbols))
    name = _many(problem.sequence, "symbol")
    named = _given(data, Symbols, Corpus) or Symbols(problem.sequence, symbols, name, YOURS)
    _same(named.sequence, problem.sequence)
    return HMMScene(named, problem)


def _kmedoids(problem: Any, data: Any) -> Scene:
    from ..datasets.types.pictures import Pictures
    from ..scenes.kmedoids import KMedoidsScene, backdrop

    matrix = problem.by_point
    named = _given(data, Pictures, Dissimilarities)
    named = named or Dissimilarities(matrix, _many(matrix, "point"), YOURS)
    if len(named[0]) != len(matrix):
        _same(np.zeros(len(named[0])), np.zeros(len(matrix)))
    return KMedoidsScene(backdrop(named, matrix), problem)


def _rbm(problem: Any, data: Examples | None) -> Scene:
    from ..scenes.rbm import RBMScene

    name = _many(problem.examples, "example")
    named = _given(data, Examples) or Examples(problem.examples, name, YOURS)
    _same(named.examples, problem.examples)
    return RBMScene(named, problem)


def _ising(problem: Any, data: Couplings | None) -> Scene:
    from ..scenes.ising import IsingScene

    spins = np.repeat(np.arange(len(problem.fields)), np.diff(problem.starts))
    pairs = np.column_stack([spins, problem.neighbours])
    once = pairs[:, 0] < pairs[:, 1]  # each stands at both of its ends
    named = _given(data, Couplings) or Couplings(
        pairs[once], problem.doubled[once] / 2, problem.fields, _many(problem.fields, "spin"), YOURS
    )
    _same(named.fields, problem.fields)
    return IsingScene(named, problem)


def _landscape(problem: Any, data: None) -> Scene:
    from ..scenes.landscape import LandscapeScene

    return LandscapeScene(problem)


_SCENES: dict[str, Callable[[Any, Any], Scene]] = {
    "kmeans": _kmeans,
    "hmm": _hmm,
    "kmedoids": _kmedoids,
    "rbm": _rbm,
    "ising": _ising,
    "landscape": _landscape,
}


def _many(rows: Any, noun: str) -> str:
    return f"{len(rows)} {noun}{'s' if len(rows) != 1 else ''}"


def _given(data: Any, *kinds: type) -> Any:
    if data is not None and not isinstance(data, kinds):
        wanted = " or ".join(f"prviz.datasets.{kind.__name__}" for kind in kinds)
        raise TypeError(f"data must be a {wanted}, not {type(data).__name__}.")
    return data


def _same(data: np.ndarray, problem: np.ndarray) -> None:
    if not np.array_equal(data, problem):
        raise ValueError("data must be what the problem was made of: this is another data set.")
