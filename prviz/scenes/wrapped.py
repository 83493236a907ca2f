"""Wrapped Python for the player: a mark a variable, at its value, or in the plane.

What nobody has drawn has a plain picture: each number of a vector at its height, each row of two
numbers at its place; what was redrawn has a ring.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..player.frames import encode_positions, world_of

#: Draws from which is found how far the picture goes.
DRAWS = 64
MARGIN = 0.06
#: Width over height of a vector's picture.
WIDE = 1.2


class WrappedScene:
    """The picture of a search over wrapped functions.

    Parameters
    ----------
    problem : Wrapped
        As :func:`prviz.wrap` makes it, of arrays (N,) or (N, 2) without groups.

    Raises
    ------
    ValueError
        Its configurations can't be drawn so: a sentence.
    """

    noun = ("variable", "variables")
    cost = "cost"
    optimiser = "Optimiser"
    iteration = "call"
    best_known = None
    solved_within = None

    def __init__(self, problem: Any):
        model = problem.model.values
        plane = model.shape[1:] == (2,)
        drawable = model.ndim == 1 or plane
        if (
            problem.get is not None
            or problem.groups
            or not drawable
            or model.dtype.kind not in "iuf"
        ):
            raise ValueError(
                "There is no picture of this problem: prviz.play shows wrapped problems whose x is "
                "a vector, or rows of two numbers, without groups; prviz.run searches all."
            )
        N = problem.n_variables
        self.title = f"{_name(problem.optimise)} on {_name(problem.cost)}, {N} variables"
        self._plane = plane
        rng = np.random.default_rng(0)
        drawn = np.stack([problem.sample(rng) for _ in range(DRAWS)]).astype(float)
        self.world = world_of(drawn.reshape(-1, 2)) if plane else _wide(drawn)
        self._across = np.linspace(*self.world["x"], 2 * N + 1)[1::2]  # in the middle of its share
        self.layers = [{"kind": "markers", "channel": "x", "trail": 6}]
        self.channels = [("x", "u2", 2 * N)]

    def asset(self, name: str) -> bytes:
        """Nothing stands still."""
        raise KeyError(name)

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state; what lies outside comes to lie on the edge."""
        x = state.values
        places = x if self._plane else np.column_stack([self._across, x])
        frame["x"] = encode_positions(places, self.world).ravel()


def _wide(drawn: np.ndarray) -> dict[str, list[float]]:
    """Room for values, from the lowest that was drawn to the highest."""
    low, high = float(drawn.min()), float(drawn.max())
    room = MARGIN * (high - low or 1.0)
    low, high = low - room, high + room
    return {"x": [0.0, WIDE * (high - low)], "y": [low, high]}


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)
