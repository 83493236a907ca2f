"""Hidden Markov models for the player: the three matrices, and the string as the model sees it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..datasets.types.strings import Corpus, Symbols
from ..problems.hmm.prediction import most_probable_path, predictions
from .data import SOURCE, check_same, check_type, counted

# The picture is measured in sides of A.
GAP = 0.03
TITLE = 0.06  # height of a line of words
NARROW = 0.04  # a column of π or B is at least so wide
WIDEST_B = 0.4
LEGIBLE, WIDEST_LEGIBLE = 0.04, 0.8  # a column of B with its symbol below, and all of them
CELL = 0.06  # of the string, at most so wide
TALL = 1.5  # and so much higher than wide
STRIP = 0.16  # height of the string, where that leaves cells to be read
LONG, LONG_STRIP = 300, 0.3  # longer strings may take more


class HMMScene:
    """The picture of a search for a hidden Markov model.

    A is a heat map with π and B beside it, in the same rows; below, each symbol of the string is
    shaded by its probability given the symbols before it.

    Parameters
    ----------
    dataset : Symbols
        The string, with name and alphabet.
    problem
        As :func:`prviz.hmm` makes it from ``dataset``.
    """

    noun = ("state", "states")
    cost = "−log-likelihood"
    optimiser = "Baum–Welch"
    solved_within = None
    tables = {"path": "Most probable path", "model": "Model"}  # noqa: RUF012

    def __init__(self, dataset: Symbols, problem: Any):
        # In one piece: a picture's parts and places, which are read side by side.
        self._sequence, self._alphabet = problem.sequence, np.array(dataset.alphabet)
        self._lengths = getattr(problem, "lengths", np.array([len(problem.sequence)]))
        if len(self._lengths) > 1:
            self.shown = f"{len(self._lengths)} strings, one after the other: each begins with π."
        T, N, K = len(problem.sequence), problem.n_states, problem.n_symbols
        self.title = f"Hidden Markov model of {dataset.name}"
        # A state for every symbol can spell out the string: nothing is left to chance.
        self.best_known = 0.0 if N >= T else None
        pi = NARROW
        b = width_of_b(K, N)
        width = pi + GAP + 1 + GAP + b
        columns, cell = strip_grid(T, width)
        strip = math.ceil(T / columns) * cell * TALL
        base = strip + 2 * TITLE  # where the matrices stand, B's symbols below them
        height = base + 1 + TITLE
        self.world = {"x": [0.0, width], "y": [0.0, height]}

        def box(left: float, bottom: float, right: float, top: float) -> list[float]:
            return [left / width, bottom / height, right / width, top / height]

        alphabet = list(dataset.alphabet)
        row = {"rows": N, "sorted": ["rows"]}
        a_left, b_left = pi + GAP, pi + GAP + 1 + GAP
        panels = [
            {
                **row,
                "channel": "start",
                "columns": 1,
                "title": "π",
                "box": box(0, base, pi, base + 1),
            },
            {
                **row,
                "channel": "transition",
                "columns": N,
                "sorted": ["rows", "columns"],
                "title": "A: from row to column, √ scale",
                "box": box(a_left, base, a_left + 1, base + 1),
            },
            {
                **row,
                "channel": "emission",
                "columns": K,
                "title": "B" if K * LEGIBLE <= WIDEST_LEGIBLE else f"B: {K} symbols",
                "symbols": ["␣" if symbol == " " else symbol for symbol in alphabet],
                "box": box(b_left, base, b_left + b, base + 1),
            },
        ]
        self.layers = [
            {"kind": "matrices", "panels": panels, "asset": "sequence"},
            {
                "kind": "strip",
                "channel": "predicted",
                "asset": "sequence",
                "symbols": alphabet,
                "columns": columns,
                "title": "String: P(symbol | those before)",
                "box": box(0, 0, columns * cell, strip),
            },
        ]
        self.channels = [
            ("transition", "u1", N * N),
            ("emission", "u1", N * K),
            ("start", "u1", N),
            ("predicted", "u1", T),
        ]

    def asset(self, name: str) -> bytes:
        """The string as u16 numbers of symbols."""
        return {"sequence": self._sequence.astype("<u2").tobytes()}[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state: square roots of A, B and π, of 255."""
        for name in ("transition", "emission", "start"):
            frame[name] = _shades(np.sqrt(getattr(state, name)))
        model = state.transition, state.emission, state.start
        chances = np.concatenate([predictions(string, *model) for string in self._strings()])
        frame["predicted"] = _shades(chances)

    def _strings(self) -> list[np.ndarray]:
        return np.split(self._sequence, np.cumsum(self._lengths)[:-1])

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """A row a symbol, with the state of the most probable path; or a row a probability."""
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
    """Return the picture of a problem, of its data set if one is given."""
    symbols = tuple(str(symbol) for symbol in range(problem.n_symbols))
    name = counted(problem.sequence, "symbol")
    dataset = check_type(data, Symbols, Corpus)
    dataset = dataset or Symbols(problem.sequence, symbols, name, SOURCE)
    check_same(dataset.sequence, problem.sequence)
    return HMMScene(dataset, problem)


def _shades(unit: np.ndarray) -> np.ndarray:
    return (unit.ravel() * 255 + 0.5).astype(np.uint8)


def width_of_b(n_symbols: int, n_states: int) -> float:
    """Room for a symbol below each column, where there are few enough to be read."""
    legible = n_symbols * LEGIBLE
    square = min(WIDEST_B, n_symbols * max(NARROW, 1 / n_states))
    return max(square, legible) if legible <= WIDEST_LEGIBLE else square


def strip_grid(length: int, width: float) -> tuple[int, float]:
    """How many symbols of the string go on a line of ``width``, and how wide each is.

    The fewest that keep the strip low, in whole groups of eight.
    """
    highest = STRIP if length <= LONG else LONG_STRIP
    columns = max(1, math.ceil(width / CELL))
    while math.ceil(length / columns) * TALL * width / columns > highest:
        columns += 1
    columns = math.ceil(columns / 8) * 8
    return min(columns, length), width / columns
