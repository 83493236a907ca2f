"""Drawn points are converted to text and back, and described."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prviz.datasets.sets.drawn import (
    ALPHABET,
    LONGEST,
    MOST,
    MOST_LINKED,
    SIDE,
    STARTER,
    decode,
    described,
    encode,
    is_mark,
    linked,
    read_drawing,
)

GRIDS = st.integers(0, 130).flatmap(
    lambda n: arrays(np.int64, (n, 2), elements=st.integers(0, SIDE - 1))
)


@given(GRIDS)
def test_decode_returns_the_encoded_points_in_order(grid):
    text = encode(grid)
    assert len(text) == -(-20 * len(grid) // 6)
    np.testing.assert_array_equal(decode(text), grid)


@given(st.text(ALPHABET, max_size=30))
def test_encoding_of_a_drawing_is_unique(text):
    try:
        grid = decode(text)
    except ValueError:
        return
    assert encode(grid) == text


def test_bits_of_the_column_precede_bits_of_the_row():
    # 0000000001 and 1111111111 in groups of six bits: 000000 000111 111111 110000
    assert encode([(1, 1023)]) == "AH_w"


@cases(
    ("text", "said"),
    [
        ("AH_", "The text is not a complete drawing: its end is missing."),
        ("AH_x", "The text is not a complete drawing: its end is missing."),
        ("A", "The text is not a complete drawing: its end is missing."),
        ("AH w", "The text is not a drawing: character 3 is not one of A–Z, a–z, 0–9, -, _."),
        ("", "Nothing drawn yet."),
        ("A" * (LONGEST + 4), f"The text has {MOST + 1} points; the limit is {MOST}."),
        ("~0123456789ab", (
            "The text is the hash of a drawing with more than 120 points, the limit of a link: "
            "open its file, or draw it again."
        )),
    ],
)  # fmt: skip
def test_read_drawing_reports_why_a_text_is_invalid(text, said):
    with pytest.raises(ValueError, match=said.replace(".", r"\.")) as raised:
        read_drawing(text)
    assert str(raised.value) == said


def test_the_largest_drawing_can_be_read():
    grid = np.random.default_rng(0).integers(0, SIDE, (MOST, 2))
    assert len(encode(grid)) == LONGEST
    np.testing.assert_array_equal(read_drawing(encode(grid)).points, grid)


def test_link_has_a_short_drawing_or_the_hash_of_a_long_drawing():
    few, many = encode(np.ones((MOST_LINKED, 2))), encode(np.ones((MOST_LINKED + 1, 2)))
    assert linked(few) == few
    assert len(few) == 400
    assert is_mark(linked(many))
    assert linked(linked(many)) == linked(many)
    assert linked(many) != linked(encode(np.zeros((MOST_LINKED + 1, 2))))


def test_a_drawing_is_described_by_its_blobs():
    corners = [(30, 990), (31, 991), (990, 990)]
    assert described(corners) == "3 points drawn, in 2 blobs: 2 upper left, 1 upper right."
    assert described([(512, 512)]) == "1 point drawn, in 1 blob: 1 in the middle."
    assert described([(512, 20), (520, 20)]) == "2 points drawn, in 1 blob: 2 lower."
    assert described(np.empty((0, 2))) == "Nothing drawn yet."
    apart = [(200 * column + 20, 200 * row + 20) for column in range(3) for row in range(3)]
    assert described(apart).startswith("9 points drawn, in 9 blobs: 1 lower left, ")
    assert described(apart).endswith(", and 4 smaller.")


def test_cells_that_touch_at_a_corner_are_one_blob():
    assert "1 blob" in described([(63, 63), (64, 64)])
    assert "2 blobs" in described([(0, 0), (128, 0)])


def test_the_first_drawing_has_three_blobs():
    assert len(linked(STARTER)) == len(STARTER)
    said = "48 points drawn, in 3 blobs: 16 upper left, 16 lower, 16 upper right."
    assert read_drawing(STARTER).notice == said
