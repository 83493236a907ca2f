"""Python and the browser's modules both reproduce the examples in tests/javascript."""

import json
from pathlib import Path

import numpy as np
import pytest

from prviz.datasets.sets.drawn import STARTER, decode, encode
from prviz.engine.schedule import Level
from prviz.engine.trace import ROUNDING, improves
from prviz.player.pictures import frames

FOLDER = Path(__file__).parents[1] / "javascript"


def examples(name):
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def test_improves_agrees_with_the_shared_examples():
    shared = examples("improves")
    assert shared["rounding"] == ROUNDING
    for cost, best, first, expected in shared["cases"]:
        assert improves(cost, best, first) == expected, (cost, best, first)


def test_drawings_and_their_shared_texts_convert_both_ways():
    drawings = examples("drawings")
    assert STARTER in [drawing["text"] for drawing in drawings]
    for drawing in drawings:
        assert encode(np.array(drawing["points"])) == drawing["text"]
        assert decode(drawing["text"]).tolist() == drawing["points"]


@pytest.fixture
def film():
    """Return a layout, and five frames: those of call 1, and the first of call 2."""
    layout = frames.layout_json(
        title="Ten points",
        noun=("point", "points"),
        cost="cost",
        optimiser="descent",
        n_variables=10,
        levels=[Level(1, 5), Level(10)],
        world={"x": (0, 1), "y": (0, 1)},
        layers=[],
        channels=[("places", "u2", 2), ("sign", "i1", 1)],
    )
    made = frames.empty_frames(layout, 5)
    made["call"], made["sub"] = [1, 1, 1, 1, 2], [0, 1, 2, 3, 0]
    made["event"] = [*[frames.REDRAW] * 2, frames.ITERATE, frames.KEPT, frames.REDRAW]
    made["level"], made["iteration"] = [2, 1, 0, 1, 1], [0, 0, 1, 1, 0]
    made["cost"], made["best"] = [np.nan, np.nan, 0.1, 0.1, np.nan], [np.inf, np.inf, 0.1, 0.1, 0.1]
    made["flags"] = [0, 0, 0, frames.LAST | frames.NEW_BEST, 0]
    made["iterations"], made["counters"] = [0, 0, 1, 1, 1], [[0, 0], [0, 0], [0, 0], [1, 0], [1, 0]]
    made["checkpoints"] = [[np.inf, np.inf]] * 4 + [[0.1, np.inf]]
    chosen = [range(10), [9], [9], [9], [0, 8]]
    made["chosen"] = [frames.encode_chosen(np.array(each), 10) for each in chosen]
    made["places"], made["sign"] = [258, 65535], [-1]
    return layout, made


def test_film_has_the_layout_and_bytes_of_the_shared_example(film):
    layout, made = film
    shared = examples("film")
    assert json.loads(json.dumps(layout)) == shared["layout"]
    assert made.tobytes().hex() == shared["bytes"]
