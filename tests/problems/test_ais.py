"""Annealed importance sampling in the benchmarks agrees with sums over all states."""

import itertools

import numpy as np
from scipy.special import logsumexp

from benchmarks.ais import log_likelihood


def test_log_likelihood_agrees_with_enumeration():
    rng = np.random.default_rng(0)
    weights, visible, hidden = rng.normal(size=(6, 4)), rng.normal(size=6), rng.normal(size=4)
    states = np.array([*itertools.product((0.0, 1.0), repeat=6)])
    log_weights = states @ visible + np.logaddexp(0.0, hidden + states @ weights).sum(axis=1)
    examples = states[[5, 17, 40]]

    found = log_likelihood(examples, weights, visible, hidden, rng, 200, 200)

    exact = log_weights[[5, 17, 40]].mean() - logsumexp(log_weights)
    assert abs(found - exact) < 0.05
