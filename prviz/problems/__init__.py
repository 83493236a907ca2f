"""The problems that prviz can search: each is a module or a package that defines ``ENTRY``.

The public API, the warm-up and the tests read the table ``PROBLEMS``.
"""

from importlib import import_module

from .entry import Entry, Variant

#: Kernels are compiled in this order. The problems of the home page and the first problem page come
#: first.
NAMES = ("landscape", "kmeans", "ising", "rbm", "hmm", "kmedoids")

PROBLEMS: dict[str, Entry] = {
    entry.id: entry for entry in (import_module(f"{__name__}.{name}").ENTRY for name in NAMES)
}

#: Problem classes whose kernels are compiled on first use, by name.
ON_DEMAND: dict[str, Variant] = {
    name: variant for entry in PROBLEMS.values() for name, variant in entry.on_demand.items()
}


def entry_of(problem: object) -> Entry | None:
    """Return the entry of a problem's type, or None for a type defined elsewhere."""
    kind = type(problem)
    return next((each for each in PROBLEMS.values() if kind in (each.type, *each.kinds)), None)
