"""Traces have columns and a hash, and are stored in files without pickle."""

import json

import numpy as np
import pytest
from cases import cases

import prviz
from prviz.engine.trace import Rows, best_so_far, empty_rows, improves

POINTS = np.random.default_rng(1).normal(size=(40, 2))


@pytest.fixture(scope="module")
def run():
    return prviz.run(prviz.kmeans(POINTS, 6), k1=2, m1=4, seed=2, calls=30)


def test_trace_columns_match_its_data_frame(run):
    trace = run.trace
    assert len(trace) == 30 == len(run.to_frame())
    assert (trace.best == best_so_far(trace.cost)).all()
    frame = run.to_frame()
    assert frame.index[0] == 1
    assert frame["cost"].tolist() == trace.cost.tolist()
    assert frame["redrawn"][1] == " ".join(map(str, trace.redrawn_in(1)[1]))
    with pytest.raises(AttributeError, match="has no column 'colour'"):
        _ = trace.colour


def test_saved_trace_is_loaded_unchanged(run, tmp_path):
    path = tmp_path / "run.npz"
    run.save(path)
    trace, about = prviz.load_trace(path)
    assert trace.hash() == run.trace.hash()
    np.testing.assert_array_equal(trace.seconds, run.trace.seconds)
    assert about["seed"] == 2 and about["calls"] == 30
    assert [prviz.Level(**level) for level in about["levels"]] == run.levels


def test_hash_covers_everything_except_seconds(run):
    rows = run.trace.rows
    slower = type(run.trace)(rows._replace(seconds=rows.seconds * 2), run.trace.n_variables)
    assert slower.hash() == run.trace.hash()
    for name in Rows._fields:
        if name == "seconds":
            continue
        changed = getattr(rows, name).copy()
        changed.flat[0] += 1
        other = type(run.trace)(rows._replace(**{name: changed}), run.trace.n_variables)
        assert other.hash() != run.trace.hash(), name


@cases("N", [6, 127, 128, 200])
def test_trace_with_narrow_columns_equals_the_wide_trace(N, tmp_path):
    points = np.random.default_rng(1).normal(size=(300, 2))
    levels = [prviz.Level(3, 4), prviz.Level(N - 1, 2), prviz.Level(N)]
    run = prviz.run(prviz.kmeans(points, N), levels=levels, calls=30)
    narrow = run.trace.narrow()
    assert narrow.hash() == run.trace.hash()
    for call in range(1, 31):
        whole, told = run.trace.redrawn_in(call), narrow.redrawn_in(call)
        assert {level: chosen.tolist() for level, chosen in told.items()} == {
            level: chosen.tolist() for level, chosen in whole.items()
        }
    assert sum(c.nbytes for c in narrow.rows) < sum(c.nbytes for c in run.trace.rows)
    narrow.save(tmp_path / "run.npz")
    assert prviz.load_trace(tmp_path / "run.npz")[0].hash() == run.trace.hash()


def test_damaged_files_are_rejected(run, tmp_path):
    good = tmp_path / "good.npz"
    run.save(good)
    content = good.read_bytes()
    for cut in (0, 10, len(content) // 2, len(content) - 30):
        (tmp_path / "cut.npz").write_bytes(content[:cut])
        with pytest.raises(ValueError, match="not a readable prviz trace"):
            prviz.load_trace(tmp_path / "cut.npz")
    (tmp_path / "text.npz").write_text("level,cost\n1,2\n")
    with pytest.raises(ValueError, match="not a readable prviz trace"):
        prviz.load_trace(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", a=np.arange(3))
    with pytest.raises(ValueError, match="not a readable prviz trace"):
        prviz.load_trace(tmp_path / "other.npz")
    np.save(tmp_path / "array.npz.npy", np.arange(3))
    with pytest.raises(ValueError, match="not a readable prviz trace"):
        prviz.load_trace(tmp_path / "array.npz.npy")
    with pytest.raises(FileNotFoundError):
        prviz.load_trace(tmp_path / "absent.npz")


def _written(tmp_path, run, head=None, **changes):
    columns = dict(zip(Rows._fields, run.trace.rows, strict=True)) | changes
    standard = {"schema": 1, "n_variables": 6, "about": {}}
    path = tmp_path / "made.npz"
    np.savez(path, head=np.array(json.dumps(head or standard)), **columns)
    return path


def test_inconsistent_files_are_rejected(run, tmp_path):
    with pytest.raises(ValueError, match="schema 99; this version of prviz reads schema 1"):
        prviz.load_trace(_written(tmp_path, run, {"schema": 99, "n_variables": 6}))
    with pytest.raises(ValueError, match="column 'cost' does not fit"):
        prviz.load_trace(_written(tmp_path, run, cost=run.trace.cost[:-1]))
    with pytest.raises(ValueError, match="column 'level' does not fit"):
        prviz.load_trace(_written(tmp_path, run, level=run.trace.level.astype(float)))
    with pytest.raises(ValueError, match="do not fit their counts"):
        prviz.load_trace(_written(tmp_path, run, redrawn=run.trace.rows.redrawn[:-1]))


def test_million_calls_take_less_than_100_mb():
    rows = empty_rows(1_000_000, 2, 1_000_000)  # the paper's k-means: k_1 = 1, two levels
    assert sum(column.nbytes for column in rows) < 100e6


@cases(
    ("cost", "best", "first", "told"),
    [
        (29147471515.19111, 29147471515.191113, 5e10, False),  # equal up to rounding
        (29147471515.0, 29147471516.0, 5e10, True),
        (1e-15, 1e-14, 2.5, False),  # both costs count as 0
        (1e-9, 1e-6, 2.5, True),
        (-3.0, -2.0, -1.0, True),
        (-2.0, -2.0, -1.0, False),
        (4.0, np.inf, 4.0, True),  # no earlier cost: the first call
        (4.0, np.inf, np.inf, True),  # the first call that did not fail
        (4.0, 5.0, np.inf, True),
        (np.inf, np.inf, 4.0, False),  # a call that failed
    ],
)
def test_rounding_alone_is_not_a_new_best(cost, best, first, told):
    assert bool(improves(cost, best, first)) is told
