"""Run Baum–Welch with Gaussian mixtures in NumPy, in logarithms, with a floor for variances.

Weights are (N, M), means (N, M, d) and covariance matrices (N, M, d, d); M may be 1.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal


def log_densities(series, weights, means, covars):
    """Return the log of weight times density for each observation and component, (T, N, M)."""
    T, (N, M) = len(series), weights.shape
    found = np.empty((T, N, M))
    for j, m in np.ndindex(N, M):
        density = multivariate_normal(means[j, m], covars[j, m])
        found[:, j, m] = np.reshape(density.logpdf(series), T) + np.log(weights[j, m])
    return found


def _logarithms(probabilities):
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def e_step(series, transition, start, *densities):
    """Return a sequence's log-likelihood, posteriors (T, N, M), expected transitions (N, N)."""
    parts = log_densities(series, *densities)
    emits = logsumexp(parts, axis=2)
    (T, N), (steps, first) = emits.shape, map(_logarithms, (transition, start))
    ahead, behind = np.empty((T, N)), np.zeros((T, N))
    ahead[0] = first + emits[0]
    for t in range(1, T):
        ahead[t] = logsumexp(ahead[t - 1][:, None] + steps, axis=0) + emits[t]
    for t in range(T - 2, -1, -1):
        behind[t] = logsumexp(steps + emits[t + 1] + behind[t + 1], axis=1)
    log_likelihood = logsumexp(ahead[-1])
    posteriors = np.exp(ahead + behind - log_likelihood)
    passes = np.zeros((N, N))
    for t in range(T - 1):
        onward = emits[t + 1] + behind[t + 1] - log_likelihood
        passes += np.exp(ahead[t][:, None] + steps + onward)
    return log_likelihood, posteriors[:, :, None] * np.exp(parts - emits[:, :, None]), passes


def em_step(sequences, transition, start, weights, means, covars, floor, kind="full", heavy=None):
    """Return the model's log-likelihood, and the model after an iteration; ``floor`` is (d,).

    ``heavy`` has a weight for each sequence.
    """
    model = transition, start, weights, means, covars
    heavy = [1.0] * len(sequences) if heavy is None else heavy
    found = [
        tuple(weight * part for part in e_step(series, *model))
        for series, weight in zip(sequences, heavy, strict=True)
    ]
    series = np.concatenate(sequences)
    posteriors = np.concatenate([each[1] for each in found])
    passes = sum(each[2] for each in found)
    starts = sum(each[1][0].sum(axis=1) for each in found)
    visits = posteriors.sum(axis=0)
    new_means = np.einsum("tjm,tc->jmc", posteriors, series) / visits[:, :, None]
    new_covars = np.empty_like(covars)
    for j, m in np.ndindex(visits.shape):
        deviations = series - new_means[j, m]
        scatter = (posteriors[:, j, m, None] * deviations).T @ deviations / visits[j, m]
        if kind == "diag":
            scatter = np.diag(np.diag(scatter))
        values, vectors = np.linalg.eigh(scatter / np.sqrt(np.outer(floor, floor)))
        raised = vectors @ np.diag(np.maximum(values, 1.0)) @ vectors.T
        new_covars[j, m] = raised * np.sqrt(np.outer(floor, floor))
    return (
        sum(each[0] for each in found),
        passes / passes.sum(axis=1, keepdims=True),
        starts / starts.sum(),
        visits / visits.sum(axis=1, keepdims=True),
        new_means,
        new_covars,
    )
