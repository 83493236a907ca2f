"""Define functions for ``prviz.wrap`` in a module that other processes import quickly."""

import numpy as np


def rugged(x):
    return float(np.sum(x**2 + 3 * (1 - np.cos(2 * np.pi * x))))


def anywhere(rng):
    return rng.uniform(-4, 4, 5)


def downhill(x):
    for _ in range(5):
        x -= (2 * x + 6 * np.pi * np.sin(2 * np.pi * x)) / (2 + 12 * np.pi**2)
