"""Generate distance matrices for the benchmarks of k-medoids."""

from __future__ import annotations

import functools

import numpy as np
from scipy.sparse.csgraph import shortest_path


@functools.lru_cache(maxsize=1)
def road_distances(n: int, seed: int = 0) -> np.ndarray:
    """Return shortest paths in a random connected graph, (n, n) float32 whole numbers.

    As in J. E. Beasley, A note on solving large p-median problems, European Journal of Operational
    Research 21 (1985): n² / 50 edges with whole-number costs of 1 to 100. Of several edges between
    the same nodes, the last one counts. A random tree among the edges connects the graph.
    """
    rng = np.random.default_rng([n, seed])
    order = rng.permutation(n)
    tree = [(order[i], order[rng.integers(i)]) for i in range(1, n)]
    others = [rng.choice(n, 2, replace=False) for _ in range(n * n // 50 - len(tree))]
    edges = np.zeros((n, n))
    for (a, b), cost in zip([*others, *tree], rng.integers(1, 101, n * n // 50), strict=True):
        edges[a, b] = edges[b, a] = cost
    return shortest_path(edges, directed=False).astype(np.float32)


@functools.lru_cache(maxsize=1)
def in_the_plane(n: int) -> np.ndarray:
    """Return distances between random points of a square, float32."""
    coordinates = np.random.default_rng(n).random((2, n), dtype=np.float32)
    return np.hypot(*(np.subtract.outer(axis, axis) for axis in coordinates))
