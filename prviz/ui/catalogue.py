"""The benchmark pages: whatever is made of all of them reads this table.

Routes, navigation, cards, recordings and pictures, what Hierarchy offers, and tests.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prviz.ui.benchmark import Benchmark

#: Each is a file of ``prviz/ui/benchmarks`` with a ``BENCHMARK``, and one of ``pages``.
PAGES = ("kmeans", "hmm", "kmedoids", "rbm", "ising", "hierarchy")
#: Pages of no single benchmark, each with its name in the navigation.
ACROSS = {"learn": "Learn", "race": "Race", "tuning": "Tuning", "figures": "Paper"}
#: Addresses that pages had before; links with them still work.
FORMER = {"hidden_markov": "hmm", "boltzmann": "rbm"}


def benchmark(page: str) -> Benchmark:
    """What a page has of its own, loaded when it is asked for."""
    return import_module(f"prviz.ui.benchmarks.{page}").BENCHMARK


def benchmarks() -> list[Benchmark]:
    """All of them, in the order in which people meet them."""
    return [benchmark(page) for page in PAGES]
