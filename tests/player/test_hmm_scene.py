"""The scene of a hidden Markov model has the right frames and positions."""

import gzip
from itertools import pairwise

import numpy as np
import pytest
from cases import cases
from drawing import frame_of, layout_of
from waiting import until

import prviz
from prviz.player.live import LiveRun
from prviz.problems.hmm.plain import PlainHMMState, forward
from prviz.problems.hmm.prediction import predictions
from prviz.scenes.hmm import HMMScene, strip_columns

# Two states alternate. The first emits 0; the second emits 1, or 0 with probability 1/4.
TURNS = PlainHMMState(
    transition=np.array([[0.0, 1.0], [1.0, 0.0]]),
    emission=np.array([[1.0, 0.0], [0.25, 0.75]]),
    start=np.array([1.0, 0.0]),
    progress=np.zeros(2),
)


def scene_of(text, n_states):
    data = prviz.datasets.read_text(text)
    return HMMScene(data, prviz.hmm(data, n_states))


def test_frame_has_predictions_and_square_roots_of_probabilities():
    scene = scene_of("0100", 2)
    frame = frame_of(scene, TURNS, 2)
    assert frame["transition"].tolist() == [0, 255, 255, 0]
    assert frame["emission"].tolist() == [255, 0, 128, 221]  # 255 · 1/2, 255 · √3/2
    assert frame["start"].tolist() == [255, 0]
    assert frame["predicted"].tolist() == [255, 191, 255, 64]  # 1, 3/4, 1, 1/4
    assert frame["states"].tolist() == [0, 1, 0, 1]


def test_the_string_is_an_asset_that_is_fetched_once():
    scene = scene_of("abca", 2)
    assert layout_of(scene, 2)["assets"] == ["sequence"]
    assert np.frombuffer(scene.asset("sequence"), "<u2").tolist() == [0, 1, 2, 0]
    with pytest.raises(KeyError):
        scene.asset("points")


def test_compressed_frames_of_the_papers_model_are_small(kernels):
    data = prviz.datasets.bits(128, 0)
    problem = prviz.hmm(data, 128)
    levels = [prviz.Level(8, 8000), prviz.Level(128)]
    run = LiveRun(problem, HMMScene(data, problem), levels, seed=0, seconds=None, calls=3)
    run.start()
    until(lambda: run.state == "finished")
    sent = run.frames(3, 1)
    n_frames = len(sent) / run.layout()["frame_bytes"]
    run.close()
    assert n_frames == int(n_frames) > 3
    assert len(gzip.compress(sent, 1)) / n_frames < 20_000  # compressed as by the server


@cases(("n_states", "length"), [(3, 20), (17, 60), (40, 300)])
def test_predictions_equal_the_forward_scales(n_states, length):
    rng = np.random.default_rng(n_states)
    model = [rng.dirichlet(np.full(n, 0.1), n_states) for n in (n_states, 3)]
    start = rng.dirichlet(np.ones(n_states))
    sequence = rng.integers(3, size=length)
    scale = forward(sequence, *model, start)[1]
    assert np.abs(predictions(sequence, *model, start)[0] - scale).max() < 1e-3


def test_predictions_end_at_an_impossible_symbol():
    args = (TURNS.transition, TURNS.emission, TURNS.start)
    assert predictions(np.array([0, 1, 1, 0]), *args)[0].tolist() == [1.0, 0.75, 0.0, 0.0]


def test_zero_cost_needs_as_many_states_as_symbols_in_the_string():
    assert scene_of("01101", 5).best_known == 0.0
    assert scene_of("01101", 4).best_known is None


@cases("n_states", [2, 32, 256])
@cases("text", ["01" * 4, "01" * 64, "abcdefghij klmno" * 20])
@cases("narrow", [False, True])
def test_parts_are_inside_the_picture_without_overlap(text, n_states, narrow):
    scene = scene_of(text, n_states)
    matrices, string = scene.layers
    panels = [panel["narrow"]["box"] if narrow else panel["box"] for panel in matrices["panels"]]
    for left, bottom, right, top in (*panels, string["box"]):
        assert 0 <= left < right <= 1 + 1e-9
        assert 0 <= bottom < top < 1
    for one, other in pairwise(panels):
        assert one[2] < other[0]
    assert string["box"][1] > max(box[3] for box in panels)
    left, bottom, right, top = panels[1]
    width = matrices["shapes"][narrow]
    assert (right - left) * width == pytest.approx(top - bottom)  # cells are square


@cases("n_symbols", [2, 8])
def test_columns_of_matrix_b_are_wide_enough_for_symbols(n_symbols):
    text = "".join(map(chr, range(97, 97 + n_symbols)))
    panel = scene_of(text, 32).layers[0]["panels"][-1]
    pixels = 286  # the height of the picture in a window of 1280 × 720
    left, _, right, _ = panel["box"]
    assert (right - left) * panel["shapes"][0] / n_symbols * pixels >= 9
    assert panel["title"] == "B"


def test_many_symbols_are_counted_and_blanks_are_visible():
    panel = scene_of("".join(map(chr, range(97, 122))), 8).layers[0]["panels"][-1]
    assert panel["title"] == "B: 25 symbols"
    assert scene_of("a b a b", 3).layers[0]["panels"][-1]["symbols"] == ["␣", "a", "b"]


@cases("length", [1, 8, 31, 128, 300, 301, 2000])
def test_cells_of_the_string_are_nearly_square(length):
    columns = strip_columns(length, 3.9)
    assert columns % 8 == 0 or columns == length
    lines = -(-length // columns)
    assert columns / 3.9 / lines < 3
    assert length < 64 or 0.6 < columns / 3.9 / lines < 1.7
