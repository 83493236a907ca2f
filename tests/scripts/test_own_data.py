"""Scripts read the user's data from a file and verify them; they never contain the data."""

import numpy as np
import pytest
from again import run_here

from prviz.ui.benchmarks import hmm, kmedoids, rbm

pytestmark = pytest.mark.usefixtures("kernels")
CLOUD = np.random.default_rng(4).normal(size=(40, 3))
POINTS = "\n".join(["x,y,z", *(",".join(map(repr, row)) for row in CLOUD.tolist())]).encode()
DISTANCES = np.abs(CLOUD[:, None] - CLOUD).sum(axis=2)
MATRIX = "\n".join(",".join(map(repr, row)) for row in DISTANCES.tolist()).encode()


def script_of(shown, **more):
    """Return the script of a page's run after ten calls."""
    values = {**shown.defaults, "budget": "calls", "calls": 10, **more}
    shown.reconcile(values, None, set(values))
    shown.fit(values)
    run = shown.live_run(values)
    try:
        run.start()
        run._thread.join(60)
        return run.script()
    finally:
        run.close()


@pytest.mark.parametrize("content", [POINTS, MATRIX])
def test_uploaded_file_is_named_and_verified(content, tmp_path):
    values = {
        "data": "own",
        "matrix": kmedoids.DATA_INPUT.take("my cloud (2).csv", content),
        "n_clusters": 5,
    }
    script = script_of(kmedoids.BENCHMARK, **values)
    assert len(script.python()) < 2000
    with pytest.raises(OSError, match=r"my cloud \(2\)\.csv"):
        run_here(script, {}, tmp_path)
    run_here(script, {"my cloud (2).csv": content}, tmp_path)
    other = {"my cloud (2).csv": content.replace(b"1", b"2")}
    with pytest.raises(AssertionError, match=r"my cloud \(2\)\.csv is not the file that was"):
        run_here(script, other, tmp_path)


def test_long_examples_are_read_from_a_file(tmp_path):
    bits = np.random.default_rng(3).integers(0, 2, (300, 8))
    text = "\n".join("".join(map(str, row)) for row in bits)
    script = script_of(rbm.BENCHMARK, data="text", text=text, epochs=5)
    assert "examples.txt" in script.python() and text[:40] not in script.python()
    spaced = "\n".join(" ".join(map(str, row)) for row in bits).encode()
    run_here(script, {"examples.txt": spaced}, tmp_path)
    fewer = spaced[: len(spaced) // 2]
    with pytest.raises(AssertionError, match="has different data"):
        run_here(script, {"examples.txt": fewer}, tmp_path)


def test_script_keeps_own_text_exactly(tmp_path):
    text = "to be, or 'not' to \"be\"\\ # that\u2028ü\t😀"
    script = script_of(hmm.BENCHMARK, data="text", text=text, n_states=4, k1=1)
    run_here(script, {}, tmp_path)
