"""A page draws the same random numbers as NumPy."""

from __future__ import annotations

import numpy as np
from in_node import in_node, node


@node
def test_seeding_gives_numpys_state():
    drawn = np.random.default_rng(0).integers(0, 2**53, 46).tolist()
    seeds = [0, 1, 2**32 - 1, 2**32, *drawn]
    for seed, words in zip(seeds, in_node("live_seeds.js", seeds), strict=True):
        state = np.random.default_rng(seed).bit_generator.state["state"]
        expected = [half for key in ("state", "inc") for half in divmod(state[key], 1 << 64)]
        assert [int(word, 16) for word in words] == [*expected, 0, 0], seed
