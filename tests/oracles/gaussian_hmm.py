"""Baum–Welch with Gaussian emissions in NumPy, from logarithms, with a floor for variances."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal


def log_densities(series, means, covars):
    """Return the log density of each observation in each state, (T, N); covars (N, d, d)."""
    each = zip(means, covars, strict=True)
    columns = [multivariate_normal(mean, covar).logpdf(series) for mean, covar in each]
    return np.stack([np.reshape(column, len(series)) for column in columns], axis=1)


def _logarithms(probabilities):
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def e_step(series, transition, start, means, covars):
    """Return a sequence's log-likelihood, posteriors (T, N) and expected transitions (N, N)."""
    emits = log_densities(series, means, covars)
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
    return log_likelihood, posteriors, passes


def em_step(sequences, transition, start, means, covars, floor, kind="full"):
    """Return the model's log-likelihood, and the model after one iteration; floor (d,)."""
    model = transition, start, means, covars
    found = [e_step(series, *model) for series in sequences]
    series = np.concatenate(sequences)
    posteriors = np.concatenate([each[1] for each in found])
    passes = sum(each[2] for each in found)
    starts = sum(each[1][0] for each in found)
    visits = posteriors.sum(axis=0)
    new_means = posteriors.T @ series / visits[:, None]
    new_covars = []
    for j in range(len(start)):
        deviations = series - new_means[j]
        scatter = (posteriors[:, j, None] * deviations).T @ deviations / visits[j]
        if kind == "diag":
            scatter = np.diag(np.diag(scatter))
        values, vectors = np.linalg.eigh(scatter / np.sqrt(np.outer(floor, floor)))
        raised = vectors @ np.diag(np.maximum(values, 1.0)) @ vectors.T
        new_covars.append(raised * np.sqrt(np.outer(floor, floor)))
    return (
        sum(each[0] for each in found),
        passes / passes.sum(axis=1, keepdims=True),
        starts / starts.sum(),
        new_means,
        np.array(new_covars),
    )
