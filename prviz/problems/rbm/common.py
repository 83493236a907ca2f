"""Redraws of parameters, weight decay, and the check for divergence."""

from __future__ import annotations

from ...engine.dispatch import helper
from ...engine.simd.variates import normal

#: A parameter of larger absolute value has diverged.
ABSURD = 1e6


def n_parameters(n_visible: int, n_hidden: int) -> int:
    """Return the number of weights and biases of a machine."""
    return n_visible * n_hidden + n_visible + n_hidden


@helper
def redraw(state, chosen, alpha, sigma, rng) -> None:
    """Mix normally distributed numbers into the chosen parameters, by equation (1).

    The order of parameters is: weights row by row, then visible biases, then hidden biases.
    """
    n_visible, n_hidden = state.weights.shape
    for k in chosen:
        fresh = sigma * normal(rng)
        if k < n_visible * n_hidden:
            i, j = k // n_hidden, k % n_hidden
            state.weights[i, j] = alpha * state.weights[i, j] + (1.0 - alpha) * fresh
        elif k < n_visible * n_hidden + n_visible:
            i = k - n_visible * n_hidden
            state.visible_bias[i] = alpha * state.visible_bias[i] + (1.0 - alpha) * fresh
        else:
            j = k - n_visible * n_hidden - n_visible
            state.hidden_bias[j] = alpha * state.hidden_bias[j] + (1.0 - alpha) * fresh


@helper
def _sane(parameters) -> bool:
    sane = True
    for x in parameters:
        sane &= abs(x) <= ABSURD  # False for NaN
    return sane


@helper
def check(state) -> None:
    """Raise a FloatingPointError if training has diverged."""
    sane = _sane(state.visible_bias) and _sane(state.hidden_bias)
    for row in state.weights:
        sane = sane and _sane(row)
    if not sane:
        raise FloatingPointError(
            "training diverged, a parameter exceeds a million: choose a smaller learning rate "
            "(or weight decay)"
        )


@helper
def decay(problem, state) -> float:
    """Return λ ΣW²/2."""
    squares = 0.0
    if problem.weight_decay == 0.0:
        return squares
    for row in state.weights:
        for weight in row:
            squares += weight * weight
    return 0.5 * problem.weight_decay * squares
