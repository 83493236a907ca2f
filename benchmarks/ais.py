"""Estimate the log-likelihood of a Boltzmann machine that is too large to enumerate.

Annealed importance sampling (Neal 2001; Salakhutdinov and Murray 2008, On the quantitative analysis
of deep belief networks). The chains start at independent visible units, whose partition function is
known, and end at the machine. Their mean weight estimates the ratio of the two partition functions.
"""

from __future__ import annotations

import itertools

import numpy as np
from scipy.special import expit, logsumexp


def softplus(x: np.ndarray) -> np.ndarray:
    return np.logaddexp(0.0, x)


def log_partition(
    weights: np.ndarray,
    visible_bias: np.ndarray,
    hidden_bias: np.ndarray,
    base_bias: np.ndarray,
    rng: np.random.Generator,
    chains: int = 100,
    temperatures: int = 1000,
) -> float:
    """Return an estimate of ln Z. Visible units start independent, with biases ``base_bias``.

    ``weights`` has the shape (visible, hidden).
    """
    v = (rng.random((chains, len(base_bias))) < expit(base_bias)).astype(float)
    log_weights = np.zeros(chains)
    shift = visible_bias - base_bias
    betas = np.linspace(0.0, 1.0, temperatures + 1)
    field = hidden_bias + v @ weights
    for before, beta in itertools.pairwise(betas):
        log_weights += (beta - before) * (v @ shift)
        log_weights += (softplus(beta * field) - softplus(before * field)).sum(axis=1)
        h = rng.random(field.shape) < expit(beta * field)
        v = (rng.random(v.shape) < expit(base_bias + beta * (shift + h @ weights.T))).astype(float)
        field = hidden_bias + v @ weights
    known = softplus(base_bias).sum() + len(hidden_bias) * np.log(2.0)
    return float(known + logsumexp(log_weights) - np.log(chains))


def log_likelihood(
    examples: np.ndarray,
    weights: np.ndarray,
    visible_bias: np.ndarray,
    hidden_bias: np.ndarray,
    rng: np.random.Generator,
    chains: int = 100,
    temperatures: int = 1000,
) -> float:
    """Return an estimate of the mean ln P of binary examples."""
    mean = np.clip(examples.mean(axis=0), 0.01, 0.99)
    base = np.log(mean / (1 - mean))
    log_z = log_partition(weights, visible_bias, hidden_bias, base, rng, chains, temperatures)
    free = examples @ visible_bias + softplus(hidden_bias + examples @ weights).sum(axis=1)
    return float(free.mean() - log_z)
