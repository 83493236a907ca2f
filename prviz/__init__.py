"""Partial reinitialisation for optimisers: the engine behind the pages.

>>> import prviz
>>> points = prviz.datasets.a3_like().points
>>> run = prviz.run(prviz.kmeans(points, n_clusters=50), k1=1, m1=100, seed=0, calls=200)
>>> run.best_cost, run.trace  # doctest: +SKIP
"""

from . import baselines, datasets
from .datasets.matrices import dissimilarity
from .engine.schedule import Level, Schedule, calls_needed, miss_probability, total_calls
from .engine.trace import Trace, load_trace
from .probe import Probe, probe
from .problems.hmm.problem import hmm
from .problems.kmeans.problem import kmeans
from .problems.kmedoids.problem import kmedoids
from .problems.landscape import landscape
from .problems.rbm.problem import rbm
from .run import Progress, Run, run

__version__ = "0.1.0"

__all__ = [
    "Level",
    "Probe",
    "Progress",
    "Run",
    "Schedule",
    "Trace",
    "baselines",
    "calls_needed",
    "datasets",
    "dissimilarity",
    "hmm",
    "kmeans",
    "kmedoids",
    "landscape",
    "load_trace",
    "miss_probability",
    "probe",
    "rbm",
    "run",
    "total_calls",
]
