"""Data of one's own are read from their file, and checked; they are never in a script."""

import numpy as np
import pytest

from prviz.ui.benchmarks import hmm, kmedoids, rbm
from tools.reproduce import repeats

pytestmark = pytest.mark.usefixtures("kernels")
CLOUD = np.random.default_rng(4).normal(size=(40, 3))
POINTS = "\n".join(["x,y,z", *(",".join(map(repr, row)) for row in CLOUD.tolist())]).encode()
MATRIX = "\n".join(",".join(map(repr, row)) for row in abs(CLOUD @ CLOUD.T).tolist()).encode()


def script_of(shown, **more):
    """The script of a page's run after ten calls."""
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
def test_an_uploaded_file_is_named_and_must_be_the_same(content):
    values = {
        "data": "own",
        "matrix": kmedoids.DOOR.take("my cloud (2).csv", content),
        "n_clusters": 5,
    }
    script = script_of(kmedoids.BENCHMARK, **values)
    assert len(script.python()) < 2000
    assert repeats(script, {"my cloud (2).csv": content}) == ""
    assert "No such file" in (said := repeats(script, {})) and "my cloud (2).csv" in said
    other = repeats(script, {"my cloud (2).csv": content.replace(b"1", b"2")})
    assert "my cloud (2).csv is not the file that was uploaded" in other


def test_long_examples_are_read_from_a_file_in_whatever_form():
    bits = np.random.default_rng(3).integers(0, 2, (300, 8))
    text = "\n".join("".join(map(str, row)) for row in bits)
    script = script_of(rbm.BENCHMARK, data="text", text=text, epochs=5)
    assert "examples.txt" in script.python() and text[:40] not in script.python()
    spaced = "\n".join(" ".join(map(str, row)) for row in bits).encode()
    assert repeats(script, {"examples.txt": spaced}) == ""
    fewer = spaced[: len(spaced) // 2]
    assert "has other data than the page had" in repeats(script, {"examples.txt": fewer})


def test_a_text_of_one_s_own_stays_what_it_is():
    text = "to be, or 'not' to \"be\"\\ # that\u2028ü\t😀"
    script = script_of(hmm.BENCHMARK, data="text", text=text, n_states=4, k1=1)
    assert repeats(script, {}) == ""
