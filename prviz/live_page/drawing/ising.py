"""Draw frames of a spin glass's search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.references import by_reference
from ...problems.ising.problem import Ising
from ..film import draw, put_real


@by_reference
class Bonds(NamedTuple):
    """Data that ``draw`` needs in addition to the problem.

    Attributes
    ----------
    pairs : (n, 2) int64
    weights : (n,) float64
    """

    pairs: np.ndarray
    weights: np.ndarray


@draw.register(Ising)
def _draw_spins(problem, state, picture, frame, at):
    spins, pairs = state.spins, picture.pairs
    energy, frustrated = problem.offset, 0
    for b in range(len(pairs)):
        along = picture.weights[b] * spins[pairs[b, 0]] * spins[pairs[b, 1]]
        energy -= along
        frustrated += along < 0.0
    for i in range(len(spins)):
        frame[at[0] + i] = spins[i] > 0
        energy -= problem.fields[i] * spins[i]
    share = frustrated / len(pairs) if len(pairs) > 0 else 0.0
    frame[at[1] : at[1] + 4].view(np.float32)[0] = share
    put_real(frame, at[2], energy)


def picture(scene: Any, problem: Any) -> Bonds:
    """Return the data that ``draw`` needs in addition to the problem."""
    pairs = np.ascontiguousarray(scene.pairs, np.int64)
    return Bonds(pairs, np.ascontiguousarray(scene.weights, float))
