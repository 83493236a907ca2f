"""Hidden Markov models for the player: the string with predictions, and three matrices.

Each symbol of the string is a cell, whose filled part is the predicted probability. The bar below
the cell shows whether the state that emitted the symbol was kept or redrawn. Below the string, A is
a heat map, with π and B beside it in the same rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..datasets.types.strings import Corpus, Symbols
from ..problems.hmm.prediction import most_probable_path, predictions
from .data import SOURCE, check_same, check_type, counted

#: Width over height of the picture in a wide space, and in a narrow one.
SHAPES = [1.55, 1.0]
# Heights are shares of the picture's height.
GAP = 0.035
STRING = 0.53, 0.93  # bottom and top of the string, with a line of text above
SIDE, BASE = 0.4, 0.055  # side and bottom of A, with the symbols of B below
NARROW = 0.04  # smallest width of a column of π or B
# Widths of B, relative to the side of A.
WIDEST_B = 0.4
# if columns of B show their symbols: smallest width of a column, and largest width of B
LEGIBLE, WIDEST_LEGIBLE = 0.1, 0.8
BYTE = 256  # the numbers of up to this many states fit in a byte
TALL = 1.2  # height over width of a cell of the string
SAYS = {
    "start": "π: the state in which the string begins",
    "transition": "A: from a state (row) to the next (column)",
    "emission": "B: the symbol that a state (row) emits",
}


class HMMScene:
    """The picture of a hidden Markov model's search.

    Parameters
    ----------
    dataset : Symbols
        The string, with its name and alphabet.
    problem
        A problem from :func:`prviz.hmm` on ``dataset``.
    """

    noun = ("state", "states")
    cost = "−log-likelihood"
    chance_of = "string"
    optimiser = "Baum–Welch"
    solved_within = None
    tables = {"path": "Most probable path", "model": "Model"}  # noqa: RUF012

    def __init__(self, dataset: Symbols | Corpus, problem: Any):
        # Long on purpose: this code lists the positions of all parts of the picture.
        self._sequence, self._alphabet = problem.sequence, np.array(dataset.alphabet)
        self._lengths = getattr(problem, "lengths", np.array([len(problem.sequence)]))
        if len(self._lengths) > 1:
            self.shown = f"{len(self._lengths)} concatenated strings: each begins with π."
        T, N, K = len(problem.sequence), problem.n_states, problem.n_symbols
        self.title = f"Hidden Markov model of {dataset.name}"
        # With at least T states, a model can reproduce the string with certainty: at cost 0.
        self.best_known = 0.0 if N >= T else None
        self.world = {"x": [0.0, SHAPES[0]], "y": [0.0, 1.0]}
        alphabet = list(dataset.alphabet)
        symbols = ["␣" if symbol == " " else symbol for symbol in alphabet]
        b = width_of_b(K, N) * SIDE
        a_left = 2 * GAP + NARROW
        left = {"start": GAP, "transition": a_left, "emission": a_left + SIDE + GAP}
        wide = {"start": NARROW, "transition": SIDE, "emission": b}
        title = {"start": "π", "transition": "A", "emission": "B"}
        if K * LEGIBLE > WIDEST_LEGIBLE:
            title["emission"] = f"B: {K} symbols"

        def panel(name: str, columns: int, *order: str) -> dict[str, Any]:
            box, narrow = (
                [left[name] / width, BASE, (left[name] + wide[name]) / width, BASE + SIDE]
                for width in SHAPES
            )
            return {
                **{"channel": name, "rows": N, "columns": columns, "sorted": list(order)},
                **{"title": title[name], "says": SAYS[name]},
                **{"shapes": SHAPES, "box": box, "narrow": {"box": narrow}},
            }

        panels = [
            panel("start", 1, "rows"),
            panel("transition", N, "rows", "columns"),
            {**panel("emission", K, "rows"), "symbols": symbols},
        ]
        low, high = STRING
        widths = [strip_columns(T, shape / (high - low)) for shape in SHAPES]
        self.layers = [
            {"kind": "matrices", "panels": panels, "asset": "sequence", "shapes": SHAPES},
            {
                "kind": "strip",
                "channel": "predicted",
                "states": "states",
                "variables": N,
                "asset": "sequence",
                "symbols": symbols,
                "shapes": SHAPES,
                "columns": widths[0],
                "narrow": {"columns": widths[1]},
                "box": [0.0, low, 1.0, high],
            },
        ]
        self.channels = [
            ("transition", "u1", N * N),
            ("emission", "u1", N * K),
            ("start", "u1", N),
            ("predicted", "u1", T),
            ("states", "u1" if N <= BYTE else "u2", T),
        ]

    def asset(self, name: str) -> bytes:
        """Return the string as the numbers of its symbols, u16."""
        return {"sequence": self._sequence.astype("<u2").tobytes()}[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state: square roots of A, B and π, times 255."""
        for name in ("transition", "emission", "start"):
            frame[name] = _shades(np.sqrt(getattr(state, name)))
        model = state.transition, state.emission, state.start
        seen = [predictions(string, *model) for string in self._strings()]
        frame["predicted"] = _shades(np.concatenate([chances for chances, _ in seen]))
        frame["states"] = np.concatenate([states for _, states in seen])

    def _strings(self) -> list[np.ndarray]:
        return np.split(self._sequence, np.cumsum(self._lengths)[:-1])

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return one row per symbol, with its state on the best path, or one row per parameter."""
        model = state.transition, state.emission, state.start
        if name == "path":
            strings = self._strings()
            paths = [most_probable_path(string, *model)[1] for string in strings]
            numbers = np.repeat(np.arange(len(strings)), self._lengths)
            symbols = self._alphabet[self._sequence]
            return {"string": numbers, "symbol": symbols, "state": np.concatenate(paths)}
        N = len(state.start)
        i, j = np.indices((N, N)).reshape(2, -1)
        emits, symbols = np.indices(state.emission.shape).reshape(2, -1)
        return {
            "what": np.repeat(["start", "transition", "emission"], [N, N * N, len(emits)]),
            "state": np.concatenate([np.arange(N), i, emits]),
            "to": np.concatenate([np.full(N, ""), j.astype(str), self._alphabet[symbols]]),
            "probability": np.concatenate([state.start, *state.transition, *state.emission]),
        }


def scene(problem: Any, data: Symbols | Corpus | None = None) -> HMMScene:
    """Return the scene of a problem, with names from its data set if ``data`` is given."""
    symbols = tuple(str(symbol) for symbol in range(problem.n_symbols))
    name = counted(problem.sequence, "symbol")
    dataset = check_type(data, Symbols, Corpus)
    dataset = dataset or Symbols(problem.sequence, symbols, name, SOURCE)
    check_same(dataset.sequence, problem.sequence)
    return HMMScene(dataset, problem)


def _shades(unit: np.ndarray) -> np.ndarray:
    return (unit.ravel() * 255 + 0.5).astype(np.uint8)


def width_of_b(n_symbols: int, n_states: int) -> float:
    """Return the width of B relative to A, wide enough for its symbols if these are few."""
    legible = n_symbols * LEGIBLE
    square = min(WIDEST_B, n_symbols * max(NARROW, 1 / n_states))
    return max(square, legible) if legible <= WIDEST_LEGIBLE else square


def strip_columns(length: int, aspect: float) -> int:
    """Return the number of symbols per line: a multiple of eight unless all fit in one line.

    ``aspect`` is width over height of the space for the string.
    """
    columns = 8 * max(1, round(math.sqrt(length * aspect * TALL) / 8))
    return min(columns, length)
