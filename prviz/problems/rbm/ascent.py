"""Gradient ascent of the exact O_ML. Each step is halved until it raises O_ML enough."""

from __future__ import annotations

from ...engine.dispatch import helper, inlined, kernel
from ...engine.kernels import cost

#: A step must gain this share of the linear prediction (Armijo 1966).
SUFFICIENT = 1e-4
#: A step that gains less than this is the last one.
TOLERANCE = 1e-9
MOST_HALVINGS = 60

#: Fields of a state's ``progress``.
EPOCH, STEP, SETTLED = range(3)


@kernel
def slope(problem, state) -> float:
    """Return O_ML, and write its gradient to ``state.slope`` in the order of the variables."""
    raise TypeError("This problem has no slope kernel.")


@helper
def climb(problem, state) -> bool:
    """Take one gradient step; return True if it gained too little, or was the last one."""
    progress = state.progress
    if progress[SETTLED] != 0.0:
        return True
    if progress[STEP] == 0.0:
        progress[STEP] = problem.learning_rate
    before = slope(problem, state)
    steepness = 0.0
    for k in range(len(state.slope)):
        steepness += state.slope[k] * state.slope[k]
    list_parameters(state, state.former)
    gain = 0.0
    for halvings in range(MOST_HALVINGS):
        _move(state, progress[STEP])
        gain = -cost(problem, state) - before
        if gain > 0.0 and gain >= SUFFICIENT * progress[STEP] * steepness:
            if halvings == 0:  # the next step may be longer
                progress[STEP] *= 2.0
            break
        gain = 0.0
        progress[STEP] *= 0.5
    if gain == 0.0:
        _move(state, 0.0)
    progress[EPOCH] += 1.0
    if gain < TOLERANCE or progress[EPOCH] >= problem.epochs:
        progress[EPOCH] = 0.0
        progress[SETTLED] = 1.0
    return progress[SETTLED] != 0.0


@inlined
def list_parameters(state, listed) -> None:
    """Write the parameters to ``listed``, in the order of the variables."""
    n_visible, n_hidden = state.weights.shape
    biases = n_visible * n_hidden
    for i in range(n_visible):
        for j in range(n_hidden):
            listed[i * n_hidden + j] = state.weights[i, j]
        listed[biases + i] = state.visible_bias[i]
    for j in range(n_hidden):
        listed[biases + n_visible + j] = state.hidden_bias[j]


@helper
def _move(state, step) -> None:
    """Set the parameters to ``former`` plus a step along the gradient."""
    n_visible, n_hidden = state.weights.shape
    biases = n_visible * n_hidden
    for k in range(len(state.former)):
        x = state.former[k] + step * state.slope[k]
        if k < biases:
            state.weights[k // n_hidden, k % n_hidden] = x
        elif k < biases + n_visible:
            state.visible_bias[k - biases] = x
        else:
            state.hidden_bias[k - biases - n_visible] = x
