"""Hidden Markov models of series for the player: the series with its states as bands, A and π.

Each step of the series belongs to the state that is most probable at this step, given the whole
series. A band shows the mean of the state ± 1 standard deviation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..datasets.types.series import Series
from ..player.pictures.frames import COORDINATES
from ..problems.hmm.gaussian.model import GaussianHMM, components
from ..problems.hmm.gaussian.prediction import held, most_probable_path, posteriors
from .data import SOURCE, check_same, check_type, counted

#: Width over height of the picture in a wide space, and in a narrow one.
SHAPES = [1.55, 1.0]
# Heights are shares of the picture's height.
GAP, TITLE = 0.03, 0.055
LANES = 0.4, 0.95  # bottom and top of the series, which are above the matrices
SIDE, BASE, NARROW = 0.3, 0.02, 0.04
MOST_LANES = 4
MARGIN = 0.06  # margin above and below a series, as a share of its range
COLUMNS = ("state", "to", "component", "value")  # columns of the table "model"
BYTE = 256  # the numbers of up to this many states fit in a byte


class SeriesScene:
    """The picture of the search for a hidden Markov model of series.

    Parameters
    ----------
    dataset : Series
        The series, with their name and columns.
    problem : GaussianHMM
        A problem from :func:`prviz.hmm` on ``dataset``.
    """

    noun = ("state", "states")
    cost = "−log-likelihood"
    optimiser = "Baum–Welch"
    best_known = None
    solved_within = None
    tables = {"path": "Most probable path", "model": "Model"}  # noqa: RUF012

    def __init__(self, dataset: Series, problem: GaussianHMM):
        self._problem = problem
        (T, d), N = problem.series.shape, problem.n_states
        shown = min(d, MOST_LANES)
        self._shown, self._lengths = shown, problem.lengths
        self._columns = dataset.columns or tuple(f"column {c + 1}" for c in range(d))
        self.title = f"Hidden Markov model of {dataset.name}"
        if shown < d:
            self.shown = f"The picture shows {shown} of {d} columns."
        elif len(problem.lengths) > 1:
            self.shown = f"{len(problem.lengths)} concatenated series: each begins with π."
        self.world = {"x": [0.0, SHAPES[0]], "y": [0.0, 1.0]}
        values = problem.series[:, :shown]
        low, high = values.min(axis=0), values.max(axis=0)
        room = np.where(high > low, high - low, 1.0) * MARGIN
        self._low, self._high = low - room, high + room
        self.layers = [self._matrices(N), self._series(problem.lengths)]
        self.channels = [
            ("transition", "u1", N * N),
            ("start", "u1", N),
            ("means", "u2", N * shown),
            ("deviations", "u2", N * shown),
            ("states", "u1" if N <= BYTE else "u2", T),
        ]
        self._space: tuple[Any, Any] | None = None

    def _matrices(self, N: int) -> dict[str, Any]:
        left = {"start": GAP, "transition": 2 * GAP + NARROW}
        wide = {"start": NARROW, "transition": SIDE}
        says = {
            "start": "π: the state in which a series begins",
            "transition": "A: from a state (row) to the next (column)",
        }

        def panel(name: str, title: str, columns: int, *order: str) -> dict[str, Any]:
            box, narrow = (
                [left[name] / width, BASE, (left[name] + wide[name]) / width, BASE + SIDE]
                for width in SHAPES
            )
            return {
                **{"channel": name, "rows": N, "columns": columns, "sorted": list(order)},
                **{"title": title, "says": says[name], "shapes": SHAPES},
                **{"box": box, "narrow": {"box": narrow}},
            }

        panels = [
            panel("start", "π", 1, "rows"),
            panel("transition", "A", N, "rows", "columns"),
        ]
        return {"kind": "matrices", "panels": panels, "shapes": SHAPES}

    def _series(self, lengths: np.ndarray) -> dict[str, Any]:
        low, high = LANES
        each = (high - low) / self._shown
        lanes = []
        for c in range(self._shown):
            top = high - c * each
            name = self._columns[c]
            title = f"{name}: each step, and the mean ± 1 SD of its most probable state"
            lanes.append(
                {
                    "name": name,
                    "titles": [title, name],
                    "low": float(self._low[c]),
                    "high": float(self._high[c]),
                    "box": [0.0, top - each + TITLE * (c < self._shown - 1), 1.0, top],
                }
            )
        return {
            "kind": "series",
            "asset": "series",
            "states": "states",
            "means": "means",
            "deviations": "deviations",
            "lanes": lanes,
            "begins": [0, *np.cumsum(lengths)[:-1].tolist()],
            "shapes": SHAPES,
        }

    def asset(self, name: str) -> bytes:
        """Return the shown columns as u16 heights within their lanes."""
        values = self._problem.series[:, : self._shown]
        return {"series": _encoded((values - self._low) / (self._high - self._low)).tobytes()}[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        for name in ("transition", "start"):
            frame[name] = (np.sqrt(getattr(state, name)).ravel() * 255 + 0.5).astype(np.uint8)
        reach = self._high - self._low
        means, deviations = (values[:, : self._shown] for values in _moments(state))
        frame["means"] = _encoded((means - self._low) / reach).ravel()
        frame["deviations"] = _encoded(deviations / reach).ravel()
        frame["states"] = self._posteriors(state).argmax(axis=1)

    def _posteriors(self, state: Any) -> np.ndarray:
        problem, space = self._with(state)
        posteriors(problem, space)
        return space.ahead[:, : len(state.start)]

    def _with(self, state: Any) -> tuple[Any, Any]:
        """Return the problem, and working space that contains the model of a state."""
        if self._space is None:
            model = state.start, state.transition, *components(state)
            self._space = held(self._problem.series, self._lengths, *model)
        space = self._space[1]
        for name in type(state).VARIABLES:
            getattr(space, name)[...] = getattr(state, name)
        return self._space

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return the table "path" (one row per step, with its state), or a table of parameters."""
        if name == "path":
            values = dict(zip(self._columns, self._problem.series.T, strict=True))
            numbers = np.repeat(np.arange(len(self._lengths)), self._lengths)
            path = most_probable_path(*self._with(state))[1]
            return {"series": numbers, **values, "state": path}
        weights, means, covars = components(state)
        N, M, _ = means.shape
        i, j = np.indices((N, N)).reshape(2, -1)
        of, which, column = np.indices(means.shape).reshape(3, -1)
        mixed, share = np.indices(weights.shape).reshape(2, -1)
        names = np.array(self._columns)[column]
        parts = {
            "start": (np.arange(N), np.full(N, ""), np.zeros(N, int), state.start),
            "transition": (i, j.astype(str), np.zeros(N * N, int), state.transition.ravel()),
            "weight": (mixed, np.full(N * M, ""), share, weights.ravel()),
            "mean": (of, names, which, means.ravel()),
            "variance": (of, names, which, _variances(covars).ravel()),
        }
        if M == 1:
            del parts["weight"]
        counts = [len(part[0]) for part in parts.values()]
        table = {"what": np.repeat([*parts], counts)}
        for name, pieces in zip(COLUMNS, zip(*parts.values(), strict=True), strict=True):
            table[name] = np.concatenate(pieces)
        if M == 1:
            del table["component"]
        return table


def scene(problem: GaussianHMM, data: Series | None = None) -> SeriesScene:
    """Return the scene of a problem, with names from its data set if ``data`` is given."""
    name = counted(problem.series, "step")
    dataset = check_type(data, Series) or Series(problem.series, problem.lengths, name, SOURCE)
    check_same(dataset.values, problem.series)
    return SeriesScene(dataset, problem)


def _variances(covars: np.ndarray) -> np.ndarray:
    """Return the variance of each state, component and column, (N, M, d)."""
    return covars[:, :, 0] if covars.shape[2] == 1 else np.diagonal(covars, axis1=2, axis2=3)


def _moments(state: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the standard deviation of each state and column, (N, d)."""
    weights, means, covars = components(state)
    if len(weights[0]) == 1:
        return means[:, 0], np.sqrt(_variances(covars)[:, 0])
    mean = np.einsum("jm,jmc->jc", weights, means)
    spread = _variances(covars) + (means - mean[:, None]) ** 2
    return mean, np.sqrt(np.einsum("jm,jmc->jc", weights, spread))


def _encoded(unit: np.ndarray) -> np.ndarray:
    return np.rint(np.clip(unit, 0.0, 1.0) * COORDINATES).astype("<u2")
