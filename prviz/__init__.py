"""Partial reinitialisation for optimisers.

>>> import prviz
>>> points = prviz.datasets.a3_like().points
>>> run = prviz.run(prviz.kmeans(points, n_clusters=50), k1=1, m1=100, seed=0, calls=200)
>>> run.best_cost, run.trace  # doctest: +SKIP
"""

import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

#: True if this process was started as ``prviz`` or ``python -m prviz``.
IS_COMMAND = sys.orig_argv[1:3] == ["-m", "prviz"] or (
    [Path(name).stem for name in sys.orig_argv[1:2]] == ["prviz"]
)
if IS_COMMAND and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # while modules load, Ctrl-C ends the command without a traceback; later, main() handles Ctrl-C
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

from . import baselines, datasets, display, large
from .choose_k import KChoice, choose_k
from .compare import Comparison, compare
from .custom.minimizing.minimize import minimize
from .custom.wrap import Wrapped, wrap
from .datasets.types.matrices import dissimilarity
from .engine.dispatch import plain_python
from .engine.errors import KernelError
from .engine.schedule import Level, Schedule, calls_needed, miss_probability, total_calls
from .engine.trace import Trace, load_trace
from .problems import PROBLEMS
from .problems.ising import qubo
from .search.probe import Probe, probe
from .search.run import Progress, Run, run
from .tune import Tuning, tune
from .version import __version__ as __version__

if TYPE_CHECKING:  # for editors; at run time, these names come from PROBLEMS or __getattr__
    from . import estimators as estimators
    from .live_page.embed import embed as embed
    from .notebook import play as play
    from .problems.hmm.problem import hmm as hmm
    from .problems.ising import ising as ising
    from .problems.kmeans.problem import kmeans as kmeans
    from .problems.kmedoids.problem import kmedoids as kmedoids
    from .problems.landscape import landscape as landscape
    from .problems.rbm.problem import rbm as rbm


def _figures() -> display.Views:
    from .figures.views import FIGURES

    return FIGURES


def _cards() -> display.Views:
    from .figures.views import CARDS

    return CARDS


def _players() -> display.Views:
    from .notebook import play_run

    return {Run: play_run}


def _live_pages() -> display.Views:
    from .live_page.embed import page_of
    from .player.live import LiveRun

    return {LiveRun: page_of}


display.register("figure", _figures)
display.register("_repr_html_", _cards)
display.register("play", _players)
display.register("live_page", _live_pages)


def __getattr__(name: str) -> Any:
    # these modules need more than NumPy, so they are imported on first use
    if name in ("estimators", "lessons"):
        return import_module(f".{name}", __name__)
    if name == "play":
        from .notebook import play

        return play
    if name == "embed":
        from .live_page.embed import embed

        return embed
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


globals().update({entry.id: entry.make for entry in PROBLEMS.values()})

__all__ = [
    "Comparison",
    "KChoice",
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
    "choose_k",
    "compare",
    "datasets",
    "dissimilarity",
    "embed",
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
