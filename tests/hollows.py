"""Find the stationary points of a one-dimensional landscape; make states at a position."""

import numpy as np
from scipy.optimize import brentq

from prviz.engine import kernels


def at(problem, position):
    state = kernels.allocate(problem)
    state.position[:] = position
    return state


def level_place(problem, low, high):
    """Return the stationary point whose signed distance from the optimum is in a given range."""
    along = brentq(lambda z: z + np.pi * problem.ripple * np.sin(2 * np.pi * z), low, high)
    return problem.optimum[0] + along


def hollow(problem, n):
    """Return the position of the bottom of hollow ``n``; hollow 0 is the lowest."""
    return level_place(problem, n - 0.25, n + 0.25)


def ridge(problem, n):
    """Return the position of the top between the hollows n and n + 1."""
    return level_place(problem, n + 0.3, n + 0.7)
