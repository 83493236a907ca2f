"""The benchmarks make the graphs of the G-set without files."""

import sys
from importlib import import_module
from pathlib import Path

import pytest
from cases import cases

from prviz.datasets.sets.glasses import KNOWN, fingerprint

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def gset():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield import_module("gset")
    for name in ("gset", "common"):
        sys.modules.pop(name, None)


def test_random_numbers_equal_the_example_of_the_stanford_graphbase(gset):
    assert gset.Flip(-314159).next() == 119318998


@cases("name", ["G1", "G11", "G14"])
def test_generated_graph_equals_the_gset_file(gset, name):
    made = gset.gset(name)
    assert fingerprint(made) == KNOWN[name].numbers
    assert made.best_known == -made.weights.sum() - 2 * KNOWN[name].best


@cases(
    ("name", "vertices", "edges"),
    [
        ("G6", 800, 19176),
        ("G13", 800, 1600),
        ("G15", 800, 4661),
        ("G16", 800, 4672),
        ("G17", 800, 4667),
        ("G22", 2000, 19990),
        ("G32", 2000, 4000),
        ("G43", 1000, 9990),
    ],
)
def test_gset_has_the_size_of_the_original(gset, name, vertices, edges):
    made = gset.gset(name)
    assert (len(made.fields), len(made.weights)) == (vertices, edges)


def test_gset_rejects_unknown_names(gset):
    with pytest.raises(ValueError, match="Unknown graph 'G18'"):
        gset.weighted("G18")
