"""Partial reinitialisation for optimisers: the engine behind the pages.

>>> import prviz
>>> points = prviz.datasets.a3_like().points
>>> run = prviz.run(prviz.kmeans(points, n_clusters=50), k1=1, m1=100, seed=0, calls=200)
>>> run.best_cost, run.trace  # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import baselines, datasets, large
from .compare import Comparison, compare
from .datasets.matrices import dissimilarity
from .engine.dispatch import plain_python
from .engine.errors import KernelError
from .engine.schedule import Level, Schedule, calls_needed, miss_probability, total_calls
from .engine.trace import Trace, load_trace
from .minimize import minimize
from .probe import Probe, probe
from .problems import PROBLEMS
from .problems.ising import qubo
from .run import Progress, Run, run
from .tune import Tuning, tune
from .wrap import Wrapped, wrap

if TYPE_CHECKING:  # for editors; all problems come by the table
    from . import estimators as estimators
    from .problems.hmm.problem import hmm as hmm
    from .problems.ising import ising as ising
    from .problems.kmeans.problem import kmeans as kmeans
    from .problems.kmedoids.problem import kmedoids as kmedoids
    from .problems.landscape import landscape as landscape
    from .problems.rbm.problem import rbm as rbm

__version__ = "0.1.0"


def play(problem: Any, *settings: Any, **more: Any) -> Any:
    """Show the theatre in a notebook: see :func:`prviz.notebook.play`."""
    from .notebook import play as play_in_notebook

    return play_in_notebook(problem, *settings, **more)


def __getattr__(name: str) -> Any:
    if name in ("estimators", "lessons"):  # when first asked for: they need more than NumPy
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


globals().update({entry.id: entry.make for entry in PROBLEMS.values()})

__all__ = [
    "Comparison",
    "KernelError",
    "Level",
    "Probe",
    "Progress",
    "Run",
    "Schedule",
    "Trace",
    "Tuning",
    "Wrapped",
    "baselines",
    "calls_needed",
    "compare",
    "datasets",
    "dissimilarity",
    "estimators",
    "large",
    "lessons",
    "load_trace",
    "minimize",
    "miss_probability",
    "plain_python",
    "play",
    "probe",
    "qubo",
    "run",
    "total_calls",
    "tune",
    "wrap",
    *PROBLEMS,
]
