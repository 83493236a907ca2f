"""Print the trace hashes of small runs of every problem as JSON.

``test_machines.py`` sets the processor type that Numba, NumPy and the C library assume.
"""

import json

import numpy as np

import prviz

CALLS = 60
GAUSSIAN = {"emissions": "gaussian", "lengths": [50, 30]}


def problems():
    """Return a problem and the settings of a search for each run, by name."""
    rng = np.random.default_rng(0)
    points = rng.random((300, 5))
    examples = prviz.datasets.patterns(40).examples
    uneven = rng.random((60, 60)) * (1 - np.eye(60))
    return {
        "landscape": (prviz.landscape(6, rotated=True), {"k1": 2}),
        "k-means, A3-like": (prviz.kmeans(prviz.datasets.a3_like().points, 50), {"k1": 1}),
        "k-means, 5-D": (prviz.kmeans(points, 12), {"k1": 2, "alpha": 0.3}),
        "k-means++": (prviz.kmeans(points, 12, "k-means++"), {"k1": 1, "m1": 5}),
        "HMM": (prviz.hmm(prviz.datasets.bits(64), 64), {"k1": 4, "m1": 50}),
        "HMM, restarts": (prviz.hmm(prviz.datasets.bits(20), 9), {"k1": 9}),
        "HMM, series": (prviz.hmm(prviz.datasets.regimes(60), 4), {"k1": 1, "m1": 20}),
        "HMM, series, full": (
            prviz.hmm(points[:80], 3, covariance_type="full", **GAUSSIAN),
            {"k1": 1, "m1": 20},
        ),
        "k-medoids, alternate": (
            prviz.kmedoids(prviz.dissimilarity(points, "sqeuclidean"), 20, "alternate"),
            {"k1": 1},
        ),
        "k-medoids, swap": (
            prviz.kmedoids(prviz.dissimilarity(points, "euclidean"), 20, "swap"),
            {"k1": 2},
        ),
        "k-medoids, uneven": (prviz.kmedoids(uneven.astype(np.float32), 6, "swap"), {"k1": 1}),
        "spin glass": (
            prviz.ising(prviz.datasets.torus((6, 6, 6), "gaussian"), optimiser="descent"),
            {"k1": 10, "m1": 40, "subset": "patch"},
        ),
        "spin glass, QUBO": (
            prviz.qubo(uneven - 0.5, "descent"),
            {"k1": 9, "subset": "weak"},
        ),
        "spin glass, annealing": (
            prviz.ising(prviz.datasets.torus((6, 6, 6), "gaussian")),
            {"k1": 10, "m1": 40},
        ),
        "RBM": (prviz.rbm(examples, 10, 0.05, epochs=100, weight_decay=0.01), {"k1": 10}),
        "RBM, wide": (prviz.rbm(np.tile(examples, (1, 2)), 11, epochs=9), {"k1": 10}),
        "RBM, exact": (prviz.rbm(examples, 10, epochs=40, optimiser="exact"), {"k1": 10}),
    }


def hashes() -> dict[str, str]:
    runs = {
        name: prviz.run(problem, **how, calls=CALLS) for name, (problem, how) in problems().items()
    }
    return {name: run.trace.hash() for name, run in runs.items()}


if __name__ == "__main__":
    print(json.dumps(hashes()))
