"""Hidden Markov models of series for the player: the series with its states as bands, A and π.

Each step of the series belongs to the state that is most probable there, given the whole series.
A band shows the mean of the state, and one standard deviation to either side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..datasets.types.series import Series
from ..player.pictures.frames import COORDINATES
from ..problems.hmm.gaussian.model import GaussianHMM
from ..problems.hmm.gaussian.prediction import held, most_probable_path, posteriors
from .data import SOURCE, check_same, check_type, counted

#: Width over height of the picture in a wide space, and in a narrow one.
SHAPES = [1.55, 1.0]
# Heights are shares of the picture's height.
GAP, TITLE = 0.03, 0.055
LANES = 0.4, 0.95  # position of the series, above the matrices
SIDE, BASE, NARROW = 0.3, 0.02, 0.04
MOST_LANES = 4
MARGIN = 0.06  # margin above and below a series, as a share of its range
BYTE = 256  # states whose numbers fit in a byte


class SeriesScene:
    """The picture of the search for a hidden Markov model of series.

    Parameters
    ----------
    dataset : Series
        The series, with name and columns.
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
        """Return the shown columns as u16 positions between the limits of their lanes."""
        values = self._problem.series[:, : self._shown]
        return {"series": _encoded((values - self._low) / (self._high - self._low)).tobytes()}[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        for name in ("transition", "start"):
            frame[name] = (np.sqrt(getattr(state, name)).ravel() * 255 + 0.5).astype(np.uint8)
        reach = self._high - self._low
        means = state.means[:, : self._shown]
        deviations = np.sqrt(_variances(state.covars)[:, : self._shown])
        frame["means"] = _encoded((means - self._low) / reach).ravel()
        frame["deviations"] = _encoded(deviations / reach).ravel()
        frame["states"] = self._posteriors(state).argmax(axis=1)

    def _posteriors(self, state: Any) -> np.ndarray:
        problem, space = self._with(state)
        posteriors(problem, space)
        return space.ahead[:, : len(state.start)]

    def _with(self, state: Any) -> tuple[Any, Any]:
        """Return a problem and working space of this scene, with the model of a state."""
        model = state.start, state.transition, state.means, state.covars
        if self._space is None:
            self._space = held(self._problem.series, self._lengths, *model)
        space = self._space[1]
        for name in ("start", "transition", "means", "covars"):
            getattr(space, name)[...] = getattr(state, name)
        return self._space

    def table(self, name: str, state: Any) -> dict[str, np.ndarray]:
        """Return one row per step, with its state on the most probable path; or one per number."""
        N, d = state.means.shape
        if name == "path":
            values = dict(zip(self._columns, self._problem.series.T, strict=True))
            numbers = np.repeat(np.arange(len(self._lengths)), self._lengths)
            path = most_probable_path(*self._with(state))[1]
            return {"series": numbers, **values, "state": path}
        i, j = np.indices((N, N)).reshape(2, -1)
        of, column = np.indices((N, d)).reshape(2, -1)
        names = np.array(self._columns)[column]
        parts = "start", "transition", "mean", "variance"
        return {
            "what": np.repeat(parts, [N, N * N, N * d, N * d]),
            "state": np.concatenate([np.arange(N), i, of, of]),
            "to": np.concatenate([np.full(N, ""), j.astype(str), names, names]),
            "value": np.concatenate(
                [state.start, *state.transition, *state.means, *_variances(state.covars)]
            ),
        }


def scene(problem: GaussianHMM, data: Series | None = None) -> SeriesScene:
    """Return the picture of a problem, with its data set if given."""
    name = counted(problem.series, "step")
    dataset = check_type(data, Series) or Series(problem.series, problem.lengths, name, SOURCE)
    check_same(dataset.values, problem.series)
    return SeriesScene(dataset, problem)


def _variances(covars: np.ndarray) -> np.ndarray:
    """Return the variance of each state and column, (N, d)."""
    return covars[:, 0] if covars.shape[1] == 1 else np.diagonal(covars, axis1=1, axis2=2)


def _encoded(unit: np.ndarray) -> np.ndarray:
    return np.rint(np.clip(unit, 0.0, 1.0) * COORDINATES).astype("<u2")
