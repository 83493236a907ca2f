"""Where a landscape of one dimension is level, by calculus, and states that lie there."""

import numpy as np
from scipy.optimize import brentq

from prviz.engine import kernels


def at(problem, position):
    state = kernels.allocate(problem)
    state.position[:] = position
    return state


def level_place(problem, low, high):
    """Where a landscape of one dimension is level, so far from its optimum, by calculus."""
    along = brentq(lambda z: z + np.pi * problem.ripple * np.sin(2 * np.pi * z), low, high)
    return problem.optimum[0] + along


def hollow(problem, n):
    """The bottom of hollow ``n``; 0 is the lowest."""
    return level_place(problem, n - 0.25, n + 0.25)


def ridge(problem, n):
    """The top between the hollows n and n + 1."""
    return level_place(problem, n + 0.3, n + 0.7)
