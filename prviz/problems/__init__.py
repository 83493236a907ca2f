"""The problems that prviz can search, each a module or a folder with an ``ENTRY``.

Whatever is made of all of them reads this table: the public face, the warm-up, the tests.
"""

from importlib import import_module

from .entry import Entry

#: In the order in which they are compiled: Home's and the first page's come first, and then those
#: that take longest, so that all cores are busy to the end.
NAMES = ("landscape", "kmeans", "ising", "rbm", "hmm", "kmedoids")

PROBLEMS: dict[str, Entry] = {
    entry.id: entry for entry in (import_module(f"{__name__}.{name}").ENTRY for name in NAMES)
}


def entry_of(problem: object) -> Entry | None:
    """What is registered of a problem's type; None for one that is defined elsewhere."""
    return next((entry for entry in PROBLEMS.values() if entry.type is type(problem)), None)
