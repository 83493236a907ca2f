"""Restricted Boltzmann machines for the player: learnt probabilities, samples and weights.

Each pattern, or each of the most frequent examples, has a bar for its probability beside its share
of the examples. Two more bars are for all other examples, and for states that are not examples.
Below the bars are samples of the machine. Each hidden unit is drawn as a tile: its weights to the
visible units, with its bias at the left edge. The biases of the visible units form one more tile.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..datasets.types.examples import Examples
from .data import SOURCE, check_same, check_type, counted

IN_A_ROW = 10  # with up to this many visible units, a tile has only one row
FEW_HIDDEN = 14  # up to this many tiles with one row form one column
SHOWN, SAMPLES = 4, 32  # largest number of patterns or examples shown, and number of samples
TAKEN = 1000  # samples in an export
#: Width over height of the picture in a wide space, and in a narrow one.
SHAPES = [1.55, 1.0]
#: Left, bottom, right and top of each part, as shares of the picture. Text is above each part.
BOXES = {
    "shares": ([0.0, 0.5, 0.62, 0.93], [0.0, 0.5, 1.0, 0.92]),
    "samples": ([0.0, 0.0, 0.62, 0.41], [0.0, 0.0, 0.52, 0.41]),
    "tiles": ([0.66, 0.0, 1.0, 0.93], [0.58, 0.0, 1.0, 0.41]),
}
SQUASH = 2.0  # a weight of this size gets tanh 1 = 76 % of full colour
PERCENT = 65535


class RBMScene:
    """The picture of a restricted Boltzmann machine's search.

    Parameters
    ----------
    dataset : Examples
        The examples, with their name and, if known, their patterns.
    problem
        A problem from :func:`prviz.rbm` on ``dataset``.
    """

    noun = ("parameter", "parameters")
    best_known = None
    solved_within = None
    tables = {"samples": "Samples", "model": "Model"}  # noqa: RUF012

    def __init__(self, dataset: Examples, problem: Any):
        # Long on purpose: this code lists the positions of all parts of the picture.
        (_, n_visible), n_hidden = problem.examples.shape, problem.n_hidden
        self.title = f"Boltzmann machine of {dataset.name}"
        self.optimiser = "Exact ascent" if problem.exact else "CD-1"
        self.iteration = None if problem.exact else "epoch"
        self.cost = "−O_ML" if problem.weight_decay else "−log-likelihood"
        self.chance_of = None if problem.weight_decay else "example"
        shown, what = patterns_of(dataset)
        others = other_examples(dataset.examples, shown)
        #: Samples that equal one of these examples are marked. Samples of more than IN_A_ROW units
        #: are not marked, because they hardly ever equal an example.
        self._known = {row.tobytes() for row in dataset.examples.astype(np.uint8)}
        self.marked = n_visible <= IN_A_ROW
        self.listed, self.n_shown = np.vstack([shown, others]).astype(float), len(shown)
        self.draws = np.random.default_rng(0).random((SAMPLES, 1 + n_visible))
        self.world = {"x": [0.0, SHAPES[0]], "y": [0.0, 1.0]}
        columns = n_visible if n_visible <= IN_A_ROW else math.ceil(math.sqrt(n_visible))
        across = math.ceil(math.sqrt(n_hidden + 1))
        if n_visible <= IN_A_ROW:
            across = 1 if n_hidden <= FEW_HIDDEN else 2
        rows = [{"bits": row.tolist(), "share": share_of(dataset.examples, row)} for row in shown]
        if len(others):
            share = 1.0 - sum(row["share"] for row in rows)
            rows.append({"word": "other examples", "share": share})
        self._more = len(others) > 0
        rows.append({"word": "no example", "share": 0.0})

        def part(kind: str, name: str, *title: str, **narrow: int) -> dict[str, Any]:
            box, narrow_box = BOXES[name]
            return {
                "kind": kind,
                "title": list(title),
                "n_visible": n_visible,
                "columns": columns,
                "shapes": SHAPES,
                "box": box,
                "narrow": {"box": narrow_box, **narrow},
            }

        tiles = part("weights", "tiles", "Weights; biases left and below", "Weights")
        pale = ("Samples; pale: no example",) if self.marked else ()
        draws = part("codes", "samples", *pale, "Samples", n=SAMPLES // 2, across=2)
        self.layers = [
            {**tiles, "n_hidden": n_hidden, "across": across},
            {**draws, "n": SAMPLES, "across": 4, "bits": "samples", "known": "known"},
            {
                **part("shares", "shares", what),
                "title": what,
                "channel": "shares",
                "rows": rows,
                "patterns": len(shown),
            },
        ]
        self.channels = [
            ("weights", "u1", n_visible * n_hidden),
            ("visible_bias", "u1", n_visible),
            ("hidden_bias", "u1", n_hidden),
            ("samples", "u1", SAMPLES * n_visible),
            ("known", "u1", SAMPLES),
            ("shares", "u2", len(rows)),
        ]

    def asset(self, name: str) -> bytes:
        raise KeyError(name)  # no static parts

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        for name in ("weights", "visible_bias", "hidden_bias"):
            frame[name] = _to_byte(getattr(state, name))
        model = state.weights, state.visible_bias, state.hidden_bias
        ln_z, hidden = partition(*model)
        samples = drawn(*model, hidden, self.draws).astype(np.uint8)
        frame["samples"] = samples.ravel()
        known = [row.tobytes() in self._known for row in samples]
        frame["known"] = known if self.marked else 1
        chances = np.exp(np.minimum(log_weights(self.listed, *model) - ln_z, 0.0))
        shown, others = chances[: self.n_shown], chances[self.n_shown :].sum()
        never = 1.0 - shown.sum() - others
        parts = np.array([*shown, *([others] if self._more else []), never])
        frame["shares"] = np.rint(np.clip(parts, 0.0, 1.0) * PERCENT)

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return one row per sample with its probability, or one row per parameter."""
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
    """Return the scene of a problem, with patterns from its data set if ``data`` is given."""
    name = counted(problem.examples, "example")
    dataset = check_type(data, Examples) or Examples(problem.examples, name, SOURCE)
    check_same(dataset.examples, problem.examples)
    return RBMScene(dataset, problem)


def _to_byte(x: np.ndarray) -> np.ndarray:
    """Return bytes from 0 for −∞ to 255 for ∞; zero is 128."""
    return np.rint(127.5 + 127.5 * np.tanh(x.ravel() / SQUASH)).astype(np.uint8)


def patterns_of(dataset: Examples) -> tuple[np.ndarray, str]:
    """Return the rows that get bars (patterns, or the most frequent examples), and their title."""
    if dataset.patterns is not None:
        return dataset.patterns[:SHOWN], "Patterns"
    rows, often = np.unique(dataset.examples, axis=0, return_counts=True)
    frequent = np.argsort(-often, kind="stable")[:SHOWN]
    return rows[frequent], "Most frequent examples" if len(rows) > SHOWN else "Examples"


def other_examples(examples: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """Return the distinct examples that are not among the rows ``shown``."""
    rows = np.unique(examples, axis=0)
    return rows[~(rows[:, None] == shown).all(axis=2).any(axis=1)]


def share_of(examples: np.ndarray, row: np.ndarray) -> float:
    """Return the share of the examples that equal a row."""
    return float((examples == row).all(axis=1).mean())


def log_weights(
    v: np.ndarray, weights: np.ndarray, visible: np.ndarray, hidden: np.ndarray
) -> np.ndarray:
    """Return, for each row v, the logarithm of the sum over h of the weights of (v, h): (n,)."""
    return v @ visible + np.logaddexp(0.0, hidden + v @ weights).sum(axis=1)


def partition(
    weights: np.ndarray, visible: np.ndarray, hidden: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return ln Z, and P(h) or P(v) of every state of the smaller layer.

    All states of the smaller layer are enumerated. Bit i of a state's number is its unit i.

    Returns
    -------
    ln_z : float
    chances : (2^m,) float
        Probabilities of the states of the smaller layer, or of the visible layer if both have the
        same size.
    """
    if len(visible) > len(hidden):
        weights, visible, hidden = weights.T, hidden, visible
    logs = log_weights(states_of(len(visible)), weights, visible, hidden)
    top = logs.max()
    ln_z = top + np.log(np.exp(logs - top).sum())
    return ln_z, np.exp(logs - ln_z)


def states_of(n: int) -> np.ndarray:
    """Return all states of a layer of n units: (2^n, n)."""
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(float)


def drawn(
    weights: np.ndarray,
    visible: np.ndarray,
    hidden: np.ndarray,
    chances: np.ndarray,
    draws: np.ndarray,
) -> np.ndarray:
    """Return samples v of the machine: (n, n_visible).

    Parameters
    ----------
    weights, visible, hidden
        The machine.
    chances : (2^m,)
        From :func:`partition`.
    draws : (n, 1 + n_visible)
        Uniform numbers, which are the same in every frame, so that samples change only if the
        machine changes.
    """
    numbers = np.minimum(np.searchsorted(np.cumsum(chances), draws[:, 0]), len(chances) - 1)
    if len(visible) <= len(hidden):
        return (numbers[:, None] >> np.arange(len(visible)) & 1).astype(float)
    h = (numbers[:, None] >> np.arange(len(hidden)) & 1).astype(float)
    activation = np.clip(visible + h @ weights.T, -700.0, 700.0)
    return (draws[:, 1:] < 1.0 / (1.0 + np.exp(-activation))).astype(float)
