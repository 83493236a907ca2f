"""Provide small problems, a contender for each, and a function that makes its calls."""

from __future__ import annotations

import numpy as np

import prviz
from prviz import baselines
from prviz.search.traced_search import generator

CENTERS = np.array([(x, y) for x in (0.0, 10.0, 20.0) for y in (0.0, 10.0)])
#: Six clusters far apart, which every method finds.
POINTS = np.concatenate([c + np.random.default_rng(3).normal(size=(12, 2)) for c in CENTERS])
MATRIX = prviz.dissimilarity(POINTS)

KMEANS = prviz.kmeans(POINTS, 6)
KMEDOIDS = prviz.kmedoids(MATRIX, 6)
#: One cloud, in which two restarts always end differently. Affinity propagation needs five tries
#: to find 10 clusters.
CLOUD = np.random.default_rng(0).normal(size=(40, 2))
CROWDED = prviz.kmeans(CLOUD, 9)
SPREAD = prviz.kmedoids(prviz.dissimilarity(CLOUD), 10)
HMM = prviz.hmm("011010011001011010", 4, tolerance=1e-4)
LANDSCAPE = prviz.landscape(2)
#: Two short annealing runs do not reach the ground state of this spin glass.
GLASS = prviz.ising(prviz.datasets.torus((8, 8, 8), seed=2), optimiser="descent")

CASES = {
    "KMeansPlusPlus": (CROWDED, baselines.KMeansPlusPlus()),
    "RandomSwap": (CROWDED, baselines.RandomSwap()),
    "ScikitLearnKMeans": (CROWDED, baselines.ScikitLearnKMeans()),
    "FasterPAM": (SPREAD, baselines.FasterPAM()),
    "AffinityPropagation": (SPREAD, baselines.AffinityPropagation()),
    "HMMLearn": (HMM, baselines.HMMLearn()),
    "DWaveAnnealing": (GLASS, baselines.DWaveAnnealing(sweeps=10, anneals=2)),
    "BasinHopping": (LANDSCAPE, baselines.BasinHopping()),
    "Annealing": (LANDSCAPE, baselines.Annealing(temperatures=4, moves=20)),
}


def caller(problem, contender, seed=0):
    """Return the method before its first call."""
    return contender.caller(problem, generator(seed), None)


def calls(caller, n):
    """Return the costs and the iterations of the next calls."""
    made = []
    with caller.around():
        for _ in range(n):
            found, iterations = caller.call()
            made.append((caller.cost(found), iterations))
    return made
