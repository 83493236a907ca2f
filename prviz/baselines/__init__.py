"""Other methods to compare with, some from other libraries.

Pass them to :func:`prviz.compare` as contenders, next to settings of a search:

>>> import prviz
>>> problem = prviz.kmeans([[0.0], [2.0], [10.0], [11.0]], 2)
>>> contenders = {"partial": {"k1": 1}, "k-means++": prviz.baselines.KMeansPlusPlus()}
>>> prviz.compare(problem, contenders, seeds=3, work=20)
<Comparison: median best cost partial 2.5, k-means++ 2.5 after 20 iterations; n = 3 each>

``docs/baselines.md`` lists their sources and what counts as an iteration.
"""

from .affinity import Clustering, ClustersNotFound, affinity_propagation
from .hmm import HMMLearn
from .ising import DWaveAnnealing
from .kmeans import KMeansPlusPlus, RandomSwap, ScikitLearnKMeans
from .kmedoids import AffinityPropagation, FasterPAM
from .landscape import Annealing, BasinHopping

__all__ = [
    "AffinityPropagation",
    "Annealing",
    "BasinHopping",
    "Clustering",
    "ClustersNotFound",
    "DWaveAnnealing",
    "FasterPAM",
    "HMMLearn",
    "KMeansPlusPlus",
    "RandomSwap",
    "ScikitLearnKMeans",
    "affinity_propagation",
]
