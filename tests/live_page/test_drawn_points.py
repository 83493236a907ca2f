"""k-means on points drawn in a page has the same memory contents and traces as in Python."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from in_node import in_node, node

import prviz
from prviz.datasets import read_drawing
from prviz.datasets.sets.drawn import STARTER, encode
from prviz.live_page.drawn import drawn_plan
from prviz.live_page.kernels import kernels_of
from prviz.live_page.memory import Content
from prviz.live_page.plan import plan
from prviz.scenes.kmeans import SQUARE, KMeansScene

CALLS, SETTINGS = 60, {"k1": 1, "m1": 7}


def drawings() -> list[tuple[str, int, str]]:
    """Return drawings, each with k and the way to choose initial centres."""
    rng = np.random.default_rng(4)
    sprayed = np.clip(rng.normal((200, 700), 60, (2000, 2)).round(), 0, 1023)
    return [
        (STARTER, 5, "forgy"),
        (encode([[3, 9], [3, 9], [1023, 0]]), 2, "k-means++"),
        (encode([[0, 0], [0, 1]]), 2, "forgy"),
        (encode(rng.integers(0, 1024, (37, 2))), 4, "k-means++"),
        (encode(sprayed), 50, "forgy"),
        (encode(rng.integers(0, 1024, (5000, 2))), 12, "forgy"),
    ]


def memory_of(about: dict[str, Any], content: bytes) -> dict[str, Any]:
    """Return the records of a plan, with the contents of the arrays instead of their positions."""

    def shown(array: dict[str, Any]) -> list[Any]:
        begin = array.get("from", 0)
        held = content[begin : begin + array.get("bytes", 0)].rstrip(b"\0").hex()
        return [array["type"], array["shape"], held]

    return {
        name: {
            "numbers": record["numbers"],
            "arrays": {array["path"]: shown(array) for array in record["arrays"]},
        }
        for name, record in about["records"].items()
    }


@node
def test_drawn_points_give_the_same_memory_and_trace_as_in_python():
    content, searches, expected = Content(), [], []
    for seed, (text, k, init) in enumerate(drawings()):
        dataset = read_drawing(text)
        problem = prviz.kmeans(dataset.points, k, init=init)
        made = plan(problem, KMeansScene(dataset, problem, world=SQUARE))
        run = prviz.run(problem, **SETTINGS, seed=seed, calls=CALLS)
        expected.append({"records": memory_of(*made), "hash": run.trace.hash()})
        about = {"plan": drawn_plan(k, init, content), "drawn": text, "settings": SETTINGS}
        searches.append({**about, "seed": seed, "calls": CALLS})
    found = in_node(
        "live_drawn.js",
        {
            "kernels": base64.b64encode(kernels_of(problem)).decode(),
            "content": base64.b64encode(bytes(content.bytes)).decode(),
            "searches": searches,
        },
    )
    for mine, own in zip(found, expected, strict=True):
        assert mine["hash"] == own["hash"]
        assert mine["records"] == own["records"]
