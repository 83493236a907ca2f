"""Restricted Boltzmann machines for the player: weights as tiles, and what the machine says.

A hidden unit is a small picture, its weights to the visible units, with its bias at the left edge;
the visible units' biases are one more. Beside them stand the patterns, or the most frequent
examples, with the machine's probability of each, and samples that are drawn from the machine.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..datasets.types.examples import Examples
from .data import SOURCE, check_same, check_type, counted

IN_A_ROW = 10  # visible units up to which a tile is one row
FEW_HIDDEN = 14  # hidden units up to which such tiles stand in one column
SHOWN, SAMPLES = 4, 8  # patterns or examples, and samples
TAKEN = 1000  # samples that somebody takes away
WIDTH = {"tiles": 0.74, "gap": 0.06, "codes": 0.5}  # of the picture, which is 1 high
TITLE = 0.07  # height of a line of words
SQUASH = 2.0  # a weight of so much is shown at tanh 1 = 76 % of full colour
PERCENT = 65535


class RBMScene:
    """The picture of a search for a restricted Boltzmann machine.

    Parameters
    ----------
    dataset : Examples
        The examples, with name and, where they are known, patterns.
    problem
        As :func:`prviz.rbm` makes it from ``dataset``.
    """

    noun = ("parameter", "parameters")
    cost = "−O_ML"
    best_known = None
    solved_within = None
    tables = {"samples": "Samples", "model": "Model"}  # noqa: RUF012

    def __init__(self, dataset: Examples, problem: Any):
        # In one piece: a picture's parts and places, which are read side by side.
        (_, n_visible), n_hidden = problem.examples.shape, problem.n_hidden
        self.title = f"Boltzmann machine of {dataset.name}"
        self.optimiser = "Exact ascent" if problem.exact else "CD-1"
        self.iteration = None if problem.exact else "epoch"
        shown, what = patterns_of(dataset)
        self._shown = shown.astype(float)
        self._draws = np.random.default_rng(0).random((SAMPLES, 1 + n_visible))
        width = sum(WIDTH.values())
        left = WIDTH["tiles"] + WIDTH["gap"]
        middle = 1.0 - (1.0 - 2 * TITLE) * len(shown) / (len(shown) + SAMPLES) - TITLE
        self.world = {"x": [0.0, width], "y": [0.0, 1.0]}
        columns = n_visible if n_visible <= IN_A_ROW else math.ceil(math.sqrt(n_visible))
        cells = {"columns": columns, "n_visible": n_visible}
        if n_visible <= IN_A_ROW:
            across, codes_across = 1 if n_hidden <= FEW_HIDDEN else 2, 1
        else:
            across, codes_across = math.ceil(math.sqrt(n_hidden + 1)), 2

        def codes(channel: str, n: int, title: str, bottom: float, top: float) -> dict[str, Any]:
            return {
                "kind": "codes",
                "bits": channel,
                "chances": f"{channel}_chances",
                "n": n,
                **cells,
                "across": codes_across,
                "title": title,
                "box": [left / width, bottom, 1.0, top - TITLE],
            }

        self.layers = [
            {
                "kind": "weights",
                "n_hidden": n_hidden,
                **cells,
                "across": across,
                "title": "Weights; biases at the left and below",
                "box": [0.0, 0.0, WIDTH["tiles"] / width, 1.0 - TITLE],
            },
            codes("shown", len(shown), f"{what}: P(v)", middle, 1.0),
            codes("samples", SAMPLES, "Samples of the machine", 0.0, middle),
        ]
        self.channels = [
            ("weights", "u1", n_visible * n_hidden),
            ("visible_bias", "u1", n_visible),
            ("hidden_bias", "u1", n_hidden),
            ("shown", "u1", shown.size),
            ("shown_chances", "u2", len(shown)),
            ("samples", "u1", SAMPLES * n_visible),
            ("samples_chances", "u2", SAMPLES),
        ]

    def asset(self, name: str) -> bytes:
        raise KeyError(name)  # nothing in this picture stands still

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        for name in ("weights", "visible_bias", "hidden_bias"):
            frame[name] = _to_byte(getattr(state, name))
        model = state.weights, state.visible_bias, state.hidden_bias
        ln_z, hidden = partition(*model)
        samples = drawn(*model, hidden, self._draws)
        for name, bits in (("shown", self._shown), ("samples", samples)):
            frame[name] = bits.ravel()
            chances = np.exp(np.minimum(log_weights(bits, *model) - ln_z, 0.0))
            frame[f"{name}_chances"] = np.rint(chances * PERCENT)

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """A row a sample, drawn exactly, with its probability; or a row a parameter."""
        model = state.weights, state.visible_bias, state.hidden_bias
        n_visible, n_hidden = state.weights.shape
        if name == "samples":
            ln_z, chances = partition(*model)
            uniform = np.random.default_rng(0).random((TAKEN, 1 + n_visible))
            samples = drawn(*model, chances, uniform)
            columns = {f"v{i}": column.astype(int) for i, column in enumerate(samples.T)}
            return {**columns, "probability": np.exp(log_weights(samples, *model) - ln_z)}
        v, h = np.indices((n_visible, n_hidden)).reshape(2, -1)
        none_v, none_h = np.full(n_hidden, ""), np.full(n_visible, "")
        return {
            "visible": np.concatenate([v.astype(str), np.arange(n_visible).astype(str), none_v]),
            "hidden": np.concatenate([h.astype(str), none_h, np.arange(n_hidden).astype(str)]),
            "value": np.concatenate([state.weights.ravel(), state.visible_bias, state.hidden_bias]),
        }


def scene(problem: Any, data: Examples | None = None) -> RBMScene:
    """Return the picture of a problem, of its data set if one is given."""
    name = counted(problem.examples, "example")
    dataset = check_type(data, Examples) or Examples(problem.examples, name, SOURCE)
    check_same(dataset.examples, problem.examples)
    return RBMScene(dataset, problem)


def _to_byte(x: np.ndarray) -> np.ndarray:
    """Bytes from 0 for −∞ to 255 for ∞; zero is 128."""
    return np.rint(127.5 + 127.5 * np.tanh(x.ravel() / SQUASH)).astype(np.uint8)


def patterns_of(dataset: Examples) -> tuple[np.ndarray, str]:
    """What is shown beside the samples: the patterns, or the most frequent examples."""
    if dataset.patterns is not None:
        return dataset.patterns[:SHOWN], "Patterns"
    rows, often = np.unique(dataset.examples, axis=0, return_counts=True)
    frequent = np.argsort(-often, kind="stable")[:SHOWN]
    return rows[frequent], "Most frequent examples" if len(rows) > SHOWN else "Examples"


def log_weights(
    v: np.ndarray, weights: np.ndarray, visible: np.ndarray, hidden: np.ndarray
) -> np.ndarray:
    """ln Σ_h of the weights of (v, h), for each row of v: (n,)."""
    return v @ visible + np.logaddexp(0.0, hidden + v @ weights).sum(axis=1)


def partition(
    weights: np.ndarray, visible: np.ndarray, hidden: np.ndarray
) -> tuple[float, np.ndarray]:
    """ln Z, and P(h) of every state of the hidden layer or P(v) of every one of the visible layer.

    The smaller layer is enumerated; bit i of a state's number is its unit i.

    Returns
    -------
    ln_z : float
    chances : (2^m,) float
        Of the states of the smaller layer, the visible one where both are equal.
    """
    if len(visible) > len(hidden):
        weights, visible, hidden = weights.T, hidden, visible
    logs = log_weights(states_of(len(visible)), weights, visible, hidden)
    top = logs.max()
    ln_z = top + np.log(np.exp(logs - top).sum())
    return ln_z, np.exp(logs - ln_z)


def states_of(n: int) -> np.ndarray:
    """All states of a layer of n units: (2^n, n)."""
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(float)


def drawn(
    weights: np.ndarray,
    visible: np.ndarray,
    hidden: np.ndarray,
    chances: np.ndarray,
    draws: np.ndarray,
) -> np.ndarray:
    """Samples v of the machine: (n, n_visible).

    Parameters
    ----------
    weights, visible, hidden
        The machine.
    chances : (2^m,)
        As :func:`partition` returns them.
    draws : (n, 1 + n_visible)
        Uniform numbers. From frame to frame the same, so that a sample changes only where the
        machine does.
    """
    numbers = np.minimum(np.searchsorted(np.cumsum(chances), draws[:, 0]), len(chances) - 1)
    if len(visible) <= len(hidden):
        return (numbers[:, None] >> np.arange(len(visible)) & 1).astype(float)
    h = (numbers[:, None] >> np.arange(len(hidden)) & 1).astype(float)
    activation = np.clip(visible + h @ weights.T, -700.0, 700.0)
    return (draws[:, 1:] < 1.0 / (1.0 + np.exp(-activation))).astype(float)
