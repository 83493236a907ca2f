"""``benchmarks/equal_time.py`` still measures each pair of estimators."""

import math
import sys
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("hmmlearn")
pytest.importorskip("kmedoids")
FOLDER = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture(scope="module")
def benchmark():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield import_module("equal_time")
    for name in ("equal_time", "common"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("pair", ["KMeans", "KMedoids", "CategoricalHMM", "GaussianHMM", "GMMHMM"])
def test_benchmark_fits_both_estimators(benchmark, pair):
    found = benchmark.measured(pair, benchmark.PAIRS[pair][1][0], seed=0, seconds=0.02)
    assert found["restarts"] >= 1
    assert math.isfinite(found["theirs"]) and math.isfinite(found["ours"])
