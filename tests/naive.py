"""Compute the results of prviz with simple, slow code, as references for tests."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.special import logsumexp


def wcss(points: np.ndarray, centers: np.ndarray) -> float:
    """Return the within-cluster sum of squares of the nearest-centre assignment."""
    return float(((points[:, None, :] - centers[None]) ** 2).sum(axis=2).min(axis=1).sum())


def best_wcss(points: np.ndarray, k: int) -> float:
    """Return the lowest WCSS over all partitions of a few points into at most k clusters."""
    best = np.inf
    for labels in itertools.product(range(k), repeat=len(points)):
        labels = np.array(labels)
        total = sum(
            ((points[labels == j] - points[labels == j].mean(axis=0)) ** 2).sum()
            for j in set(labels.tolist())
        )
        best = min(best, total)
    return float(best)


def total_dissimilarity(matrix: np.ndarray, medoids) -> float:
    """Return the sum over all points i of the smallest ``matrix[i, m]`` over the medoids m."""
    return float(matrix[:, list(medoids)].astype(float).min(axis=1).sum())


def best_medoids_cost(matrix: np.ndarray, k: int) -> float:
    """Return the lowest total dissimilarity over all sets of k medoids."""
    sets = itertools.combinations(range(len(matrix)), k)
    return min(total_dissimilarity(matrix, medoids) for medoids in sets)


def path_sums(sequence, transition, emission, start) -> tuple[float, np.ndarray, np.ndarray]:
    """Return likelihood and posteriors of a hidden Markov model, by a sum over all paths.

    Returns
    -------
    likelihood : float
    gamma : (T, N)
        Probability of each state at each step, given the sequence.
    xi : (T − 1, N, N)
        Probability of each transition at each step, given the sequence.
    """
    T, N = len(sequence), len(start)
    likelihood, gamma, xi = 0.0, np.zeros((T, N)), np.zeros((max(T - 1, 0), N, N))
    for path in itertools.product(range(N), repeat=T):
        joint = start[path[0]] * emission[path[0], sequence[0]]
        for t in range(1, T):
            joint *= transition[path[t - 1], path[t]] * emission[path[t], sequence[t]]
        likelihood += joint
        for t in range(T):
            gamma[t, path[t]] += joint
        for t in range(T - 1):
            xi[t, path[t], path[t + 1]] += joint
    return likelihood, gamma / likelihood, xi / likelihood


def best_path(sequence, transition, emission, start) -> tuple[float, list[int]]:
    """Return the largest ln P(path, sequence) over all paths, and the first path that has it."""
    best, most = [], -1.0
    for path in itertools.product(range(len(start)), repeat=len(sequence)):
        joint = start[path[0]] * emission[path[0], sequence[0]]
        for t in range(1, len(sequence)):
            joint *= transition[path[t - 1], path[t]] * emission[path[t], sequence[t]]
        if joint > most:
            best, most = list(path), joint
    return (float(np.log(most)) if most > 0 else -np.inf), best


def em_step_of_many(strings, transition, emission, start, weights=None):
    """Return transition, emission and start after a step of Baum–Welch on several strings."""
    counts, emitted, starts = np.zeros(transition.shape), np.zeros(emission.shape), 0.0
    weights = np.ones(len(strings)) if weights is None else np.asarray(weights)
    for string, weight in zip(strings, weights, strict=True):
        _, gamma, xi = path_sums(string, transition, emission, start)
        gamma, xi = weight * gamma, weight * xi
        counts += xi.sum(axis=0)
        for k in range(emission.shape[1]):
            emitted[:, k] += gamma[np.asarray(string) == k].sum(axis=0)
        starts = starts + gamma[0]
    leaves = counts.sum(axis=1, keepdims=True) > 0
    return (
        counts / counts.sum(axis=1, keepdims=True) if leaves.all() else transition,
        emitted / emitted.sum(axis=1, keepdims=True),
        starts / weights.sum(),
    )


def em_step(sequence, transition, emission, start) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return transition, emission and start after a step of Baum–Welch by :func:`path_sums`.

    Every entry must be positive, so that every state is visited. A sequence of one symbol leaves
    the transitions unchanged.
    """
    _, gamma, xi = path_sums(sequence, transition, emission, start)
    emitted = np.array([gamma[sequence == k].sum(axis=0) for k in range(emission.shape[1])]).T
    counts = xi.sum(axis=0)
    return (
        counts / counts.sum(axis=1, keepdims=True) if len(xi) else transition,
        emitted / emitted.sum(axis=1, keepdims=True),
        gamma[0],
    )


def log_weights(weights, visible_bias, hidden_bias) -> np.ndarray:
    """Return ln of the unnormalised probability of every state of a Boltzmann machine.

    Shape (2^n_visible, 2^n_hidden). In state number k of a layer, unit i is on if bit i of k is
    set.
    """
    v, h = (
        np.array([[number >> i & 1 for i in range(len(bias))] for number in range(1 << len(bias))])
        for bias in (visible_bias, hidden_bias)
    )
    return (v @ visible_bias)[:, None] + h @ hidden_bias + v @ weights @ h.T


def o_ml(
    examples, weights, visible_bias, hidden_bias, weight_decay, heavy=None
) -> tuple[float, np.ndarray]:
    """Return mean ln P(v) − λ ΣW²/2, and its gradient, by sums over all states (v, h).

    ``heavy`` are weights of the examples.
    """
    n_visible, n_hidden = weights.shape
    logs = log_weights(weights, visible_bias, hidden_bias)
    seen = np.asarray(examples) @ (1 << np.arange(n_visible))
    shares = np.ones(len(seen)) if heavy is None else np.asarray(heavy, float)
    shares = shares / shares.sum()
    value = shares @ logsumexp(logs[seen], axis=1) - logsumexp(logs)
    value -= weight_decay * (weights**2).sum() / 2
    excess = -np.exp(logs - logsumexp(logs))
    for number, share in zip(seen, shares, strict=True):
        excess[number] += np.exp(logs[number] - logsumexp(logs[number])) * share
    v = np.array([[number >> i & 1 for i in range(n_visible)] for number in range(1 << n_visible)])
    h = np.array([[number >> i & 1 for i in range(n_hidden)] for number in range(1 << n_hidden)])
    gradient = v.T @ excess @ h - weight_decay * weights
    return value, np.concatenate([gradient.ravel(), v.T @ excess.sum(1), excess.sum(0) @ h])
