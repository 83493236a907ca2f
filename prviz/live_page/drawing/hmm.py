"""Draw frames of a hidden Markov model's search."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.dispatch import helper
from ...engine.references import by_reference
from ...problems.hmm.baum_welch import HMM
from ...problems.hmm.prediction import predictions
from ...scenes.hmm import BYTE
from ..film import draw, put_whole


@by_reference
class Matrices(NamedTuple):
    """No data: ``draw`` needs only the problem."""

    nothing: int


@helper
def shade(unit):
    """Return a number from 0 to 1 as an 8-bit integer."""
    return np.uint8(int(unit * 255.0 + 0.5))


@draw.register(HMM)
def _draw_model(problem, state, picture, frame, at):
    transition, emission, start = state.transition, state.emission, state.start
    n_states, n_symbols = emission.shape
    for i in range(n_states):
        for j in range(n_states):
            frame[at[0] + i * n_states + j] = shade(np.sqrt(transition[i, j]))
        for symbol in range(n_symbols):
            frame[at[1] + i * n_symbols + symbol] = shade(np.sqrt(emission[i, symbol]))
        frame[at[2] + i] = shade(np.sqrt(start[i]))
    n_bytes, begin = 1 if n_states <= BYTE else 2, 0
    for k in range(len(problem.lengths)):
        string = problem.sequence[begin : begin + problem.lengths[k]]
        chances, states = predictions(string, transition, emission, start)
        for t in range(len(chances)):
            frame[at[3] + begin + t] = shade(chances[t])
            put_whole(frame, at[4] + n_bytes * (begin + t), n_bytes, states[t])
        begin += problem.lengths[k]


def picture(scene: Any, problem: Any) -> Matrices:
    """Return the data that ``draw`` needs in addition to the problem."""
    return Matrices(0)
