"""Partial reinitialisation for optimisers: the engine behind the pages.

>>> import prviz
>>> points = prviz.datasets.a3_like().points
>>> run = prviz.run(prviz.kmeans(points, n_clusters=50), k1=1, m1=100, seed=0, calls=200)
>>> run.best_cost, run.trace  # doctest: +SKIP
"""

from typing import TYPE_CHECKING

from . import baselines, datasets
from .datasets.matrices import dissimilarity
from .engine.dispatch import plain_python
from .engine.errors import KernelError
from .engine.schedule import Level, Schedule, calls_needed, miss_probability, total_calls
from .engine.trace import Trace, load_trace
from .probe import Probe, probe
from .problems import PROBLEMS
from .run import Progress, Run, run

if TYPE_CHECKING:  # for editors; all problems come by the table
    from .problems.hmm import hmm as hmm
    from .problems.kmeans import kmeans as kmeans
    from .problems.kmedoids import kmedoids as kmedoids
    from .problems.landscape import landscape as landscape
    from .problems.rbm import rbm as rbm

__version__ = "0.1.0"

globals().update({entry.id: entry.make for entry in PROBLEMS.values()})

__all__ = [
    "KernelError",
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
    "load_trace",
    "miss_probability",
    "plain_python",
    "probe",
    "run",
    "total_calls",
    *PROBLEMS,
]
