"""The table of benchmark pages.

Routes, navigation, cards, recordings, pictures, the page Hierarchy and tests use this table.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prviz.ui.benchmark import Benchmark

#: Each page has a file with a ``BENCHMARK`` in ``prviz/ui/benchmarks``, and a file in ``pages``.
PAGES = ("kmeans", "hmm", "kmedoids", "rbm", "ising", "hierarchy")
#: Pages without a benchmark, with their names in the navigation.
ACROSS = {"learn": "Learn", "race": "Race", "tuning": "Tuning", "figures": "Paper"}
#: Former addresses of pages, for old links.
FORMER = {"hidden_markov": "hmm", "boltzmann": "rbm"}


def benchmark(page: str) -> Benchmark:
    """Return the descriptor of a page, loaded on demand."""
    return import_module(f"prviz.ui.benchmarks.{page}").BENCHMARK


def benchmarks() -> list[Benchmark]:
    """Return all descriptors, in the order of the navigation."""
    return [benchmark(page) for page in PAGES]
