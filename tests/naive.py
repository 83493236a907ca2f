"""Obvious versions of what prviz does fast, for tests to compare with."""

from __future__ import annotations

import itertools

import numpy as np


def wcss(points: np.ndarray, centers: np.ndarray) -> float:
    """Within-cluster sum of squares of the nearest-centre assignment."""
    return float(((points[:, None, :] - centers[None]) ** 2).sum(axis=2).min(axis=1).sum())


def best_wcss(points: np.ndarray, k: int) -> float:
    """Lowest WCSS over all partitions of a few points into at most k clusters."""
    best = np.inf
    for labels in itertools.product(range(k), repeat=len(points)):
        labels = np.array(labels)
        total = sum(
            ((points[labels == j] - points[labels == j].mean(axis=0)) ** 2).sum()
            for j in set(labels.tolist())
        )
        best = min(best, total)
    return float(best)
