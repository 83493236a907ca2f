"""Python packs frames in the format that the layout describes to the browser."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from prviz.engine.schedule import Level
from prviz.player.export.replay import held_calls, replay_html, within
from prviz.player.pictures import frames

WORLD = {"x": (0.0, 100.0), "y": (-10.0, 10.0)}


def layout(**changes):
    settings = {
        "title": "k-means on three points",
        "noun": ("centre", "centres"),
        "cost": "WCSS",
        "optimiser": "Lloyd",
        "n_variables": 3,
        "levels": [Level(1, 100), Level(3)],
        "world": WORLD,
        "layers": [
            {"kind": "points", "asset": "points"},
            {"kind": "markers", "channel": "centers", "trail": 6},
        ],
        "channels": [("centers", "u2", 6)],
    }
    return frames.layout_json(**{**settings, **changes})


def test_a_frame_is_packed_as_documented():
    made = layout()
    # bytes: 4 + 2 + 4 + 4 × 1 + 4 × 8, then 2 × 8 checkpoints, 2 × 4 counters, 1 of bits, 6 × 2
    assert made["frame_bytes"] == 46 + 16 + 8 + 1 + 12
    offsets = {field["name"]: field["offset"] for field in made["fields"]}
    assert offsets["event"] == 10
    assert offsets["cost"] == 14
    assert offsets["checkpoints"] == 46
    assert offsets["counters"] == 62
    assert offsets["chosen"] == 70
    assert offsets["centers"] == 71


def test_array_fields_are_arrays_even_with_one_level():
    dtype = frames.frame_dtype(layout(levels=[Level(3)]))
    assert dtype["checkpoints"].shape == dtype["counters"].shape == (1,)
    assert dtype["call"].shape == ()


def test_assets_are_listed_once_and_lazy_assets_separately():
    layers = [{"kind": "a", "asset": "x"}, {"kind": "b", "asset": "x", "lazy": "y"}, {"kind": "c"}]
    made = layout(layers=layers)
    assert (made["assets"], made["lazy"]) == (["x"], ["y"])
    assert frames.all_assets(made) == ["x", "y"]
    assert "lazy" not in layout(layers=[])
    assert frames.all_assets(layout(layers=[])) == []


def test_layout_contains_the_settings_of_each_level():
    levels = [Level(1, 100, 1.0), Level(None, 10, probability=0.1), Level(3)]
    assert layout(levels=levels)["levels"] == [
        {"size": 1, "repeats": 100, "alpha": 1.0},
        {"size": None, "repeats": 10, "probability": 0.1},
        {"size": 3, "repeats": 0},
    ]


@cases(
    ("changes", "message"),
    [
        ({"levels": []}, "at least one level"),
        ({"world": {"x": (1, 1), "y": (0, 1)}}, "The world's x must run from low to high"),
        ({"best_known": float("inf")}, "best_known must be finite"),
        ({"channels": [("cost", "u2", 1)]}, "needs a unique name"),
    ],
)
def test_invalid_layout_is_rejected(changes, message):
    with pytest.raises(ValueError, match=message):
        layout(**changes)


def test_positions_are_scaled_to_16_bits_and_clipped_to_the_world():
    encoded = frames.encode_positions([[0, -10], [100, 10], [50, 0], [-7, 99]], WORLD)
    assert encoded.dtype == np.uint16
    assert encoded.tolist() == [[0, 0], [65535, 65535], [32768, 32768], [0, 65535]]


@given(hnp.arrays(float, (5, 2), elements=st.floats(-10, 10)))
def test_positions_are_restored_within_half_a_step(xy):
    back = frames.decode_positions(frames.encode_positions(xy, WORLD), WORLD)
    inside = np.maximum(xy, [0, -10])
    assert np.all(np.abs(back - inside) <= np.array([100, 20]) / 65535 / 2 * (1 + 1e-9))


def test_the_world_is_a_square_around_the_points():
    world = frames.world_of(np.array([[0.0, 0.0], [100.0, 50.0]]), margin=0.1)
    assert world == {"x": [-10.0, 110.0], "y": [-35.0, 85.0]}
    low, high = frames.world_of(np.array([[3.0, 3.0]]))["x"]
    assert low < 3 < high


def test_chosen_variables_start_at_the_lowest_bit():
    assert frames.encode_chosen(np.array([0, 9]), 10).tolist() == [1, 2]
    assert frames.encode_chosen(np.array([], int), 10).tolist() == [0, 0]
    assert frames.encode_chosen(np.arange(10), 10).tolist() == [255, 3]


def test_outcomes_encode_the_level_and_the_decisions():
    kept, best, kept_outermost = [1, 0, 0], [1, 0, 0], [1, 0, 1]
    outcomes = frames.encode_outcomes([2, 1, 8], kept, best, kept_outermost)
    assert outcomes.tolist() == [2 + 8 + 16 + 32, 1, 32]


def replay(**changes):
    made = layout(title="1 < 2 & </script>")
    film = {
        "layout": made,
        "assets": {"points": bytes(12)},
        "frames_bytes": frames.empty_frames(made, 2).tobytes(),
        "progress_head": {"calls": 1, "best": 1.0},
        "outcomes": b"\x0a",
        "curve": {"data": [], "layout": {}},
    }
    return replay_html(**{**film, **changes})


def test_replay_needs_no_other_files():
    page = replay()
    assert "1 &lt; 2 &amp; &lt;/script&gt;" in page
    assert page.count("</script>") == 2  # the title and the data cannot close a script
    assert "\nimport " not in page
    assert " src=" not in page
    assert page == replay()


@cases(
    ("changes", "message"),
    [
        ({"frames_bytes": bytes(82)}, "whole frames of 83 bytes, got 82"),
        ({"frames_bytes": b""}, "whole frames"),
        ({"theme": "blue"}, 'theme must be "auto", "light" or "dark"'),
    ],
)
def test_replay_rejects_invalid_arguments(changes, message):
    with pytest.raises(ValueError, match=message):
        replay(**changes)


def test_thinning_keeps_the_first_and_last_call():
    noise = np.random.default_rng(0)
    parts = {call: noise.bytes(1000) for call in range(1, 10)}
    assert within(parts, 20_000) == parts
    assert list(within(parts, 6000)) == [1, 3, 5, 7, 9]
    assert list(within(parts, 10)) == [1, 9]


def test_replay_says_how_many_calls_it_contains():
    assert held_calls(5, 5) == ""
    assert held_calls(5, 900) == "This file contains 5 of 900 calls: the story of the search."
