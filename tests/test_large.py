"""k-means on data larger than memory has unbiased coresets and exact steps."""

import tracemalloc

import numpy as np
import psutil
import pytest
from cases import cases

import prviz
from prviz import large


def blobs(n, d=3, k=6, seed=0, kind=np.float32):
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-10, 10, (k, d))
    return (centers[rng.integers(k, size=n)] + rng.normal(size=(n, d))).astype(kind)


@pytest.fixture
def on_disk(tmp_path):
    """Return points in a file as a memmap, and the same points in memory."""
    points = blobs(20_000)
    file = np.memmap(tmp_path / "points.f32", np.float32, "w+", shape=points.shape)
    file[:] = points
    file.flush()
    return np.memmap(tmp_path / "points.f32", np.float32, "r", shape=points.shape), points


def direct(points, centers):
    """Return the cost, computed from all distances at once."""
    away = points[:, None].astype(float) - centers
    return (away**2).sum(axis=2).min(axis=1).sum()


def weighted(few, centers):
    away = few.points[:, None] - centers
    return (few.weights * (away**2).sum(axis=2).min(axis=1)).sum()


def test_cost_equals_a_direct_computation_for_any_size_of_pieces(on_disk, monkeypatch):
    file, points = on_disk
    centers = np.random.default_rng(1).uniform(-10, 10, (7, 3))
    assert large.cost(file, centers) == pytest.approx(direct(points, centers), rel=1e-12)
    monkeypatch.setattr(large, "PIECE", 1000)
    assert large.cost(file, centers) == pytest.approx(direct(points, centers), rel=1e-12)


def test_cost_is_exact_far_from_the_origin():
    points = blobs(500, kind=np.float64)
    centers = blobs(5, seed=1, kind=np.float64)
    near = direct(points, centers)
    assert large.cost(points + 1e6, centers + 1e6) == pytest.approx(near, rel=1e-8)


def test_lloyd_is_exact_for_close_clusters_far_from_the_first_centre():
    points = np.array([[0.0], [1.7e9], [1.7e9 + 2], [1.7e9 + 10], [1.7e9 + 12]])
    found = large.lloyd(points, [[0.0], [1.7e9 + 2], [1.7e9 + 10]], steps=1)
    assert found.centers.tolist() == [[0.0], [1.7e9 + 1], [1.7e9 + 11]]
    assert found.cost == 4.0


def test_coreset_cost_is_unbiased():
    points = blobs(3000)
    centers = blobs(4, seed=2).astype(float)
    costs, sums = [], []
    for seed in range(200):
        few = large.coreset(points, 100, seed)
        costs.append(weighted(few, centers))
        sums.append(few.weights.sum())
    for values, exact in ((costs, direct(points, centers)), (sums, len(points))):
        error = np.std(values) / np.sqrt(len(values))
        assert abs(np.mean(values) - exact) < 4 * error
        assert np.std(values) < 0.3 * exact  # each coreset gives nearly the exact value


def test_points_are_drawn_with_their_probabilities():
    points = np.array([[0.0], [1.0], [2.0], [9.0]])
    away = (points[:, 0] - 3.0) ** 2  # squared distances from the mean
    share = 0.5 / 4 + 0.5 * away / away.sum()
    drawn = np.zeros(4)
    for seed in range(4000):
        few = large.coreset(points, 1, seed)
        which = points[:, 0].tolist().index(few.points[0, 0])
        assert few.weights[0] == pytest.approx(1 / share[which])
        drawn[which] += 1
    assert np.abs(drawn / 4000 - share).max() < 4 * np.sqrt(0.25 / 4000)


def test_coreset_is_a_subset_of_the_points_and_repeatable(on_disk, monkeypatch):
    file, points = on_disk
    few = large.coreset(file, 300, 5)
    again = large.coreset(points, 300, 5)
    assert (few.points == again.points).all() and (few.weights == again.weights).all()
    assert {*map(tuple, few.points)} <= {*map(tuple, points.astype(float))}
    assert 0 < len(few.points) <= 300 and (few.weights > 0).all()
    other = large.coreset(points, 300, 6)
    assert len(other.points) != len(few.points) or (other.points != few.points).any()
    monkeypatch.setattr(large, "PIECE", 1000)  # the weights then agree up to rounding
    pieces = large.coreset(points, 300, 5)
    assert (pieces.points == few.points).all()
    assert pieces.weights == pytest.approx(few.weights, rel=1e-9)


def test_coreset_of_equal_points_has_their_total_weight():
    few = large.coreset(np.full((50, 2), 3.0), 20)
    assert (few.points == 3.0).all() and few.weights.sum() == pytest.approx(50)
    assert large.cost(np.full((50, 2), 3.0), [[3.0, 3.0]]) == 0.0
    assert len(large.coreset(blobs(10), 10).points) <= 10


def test_lloyd_on_a_file_equals_numpy(on_disk):
    file, points = on_disk
    centers = points[:5].astype(float)
    found = large.lloyd(file, centers, steps=1)
    labels = ((points[:, None].astype(float) - centers) ** 2).sum(axis=2).argmin(axis=1)
    means = np.array([points[labels == j].mean(axis=0, dtype=float) for j in range(5)])
    assert found.centers == pytest.approx(means, rel=1e-9)
    assert (centers == points[:5]).all()  # the arguments are unchanged
    assert found.cost == large.cost(file, found.centers)
    costs = [large.lloyd(file, centers, steps).cost for steps in range(5)]
    assert costs == sorted(costs, reverse=True) and costs[0] == large.cost(file, centers)


def test_centre_without_points_does_not_move():
    found = large.lloyd([[0.0], [2.0]], [[1.0], [50.0]], steps=3)
    assert found.centers.tolist() == [[1.0], [50.0]] and found.cost == 2.0


def test_search_on_a_coreset_is_good_on_all_points(on_disk):
    file, points = on_disk
    few = large.coreset(file, 2000, 1)
    problem = prviz.kmeans(few.points, 6, weights=few.weights)
    found = large.lloyd(file, prviz.run(problem, calls=100).best_state.centers)
    whole = prviz.run(prviz.kmeans(points, 6), calls=100).best_cost
    assert found.cost == pytest.approx(whole, rel=1e-3)


def test_memory_is_limited_to_a_few_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(large, "PIECE", 1 << 18)
    n, d = 125_000, 4
    file = np.memmap(tmp_path / "points.f32", np.float32, "w+", shape=(n, d))
    file[:] = blobs(n, d)
    centers = blobs(20, d).astype(float)
    tracemalloc.start()
    few = large.coreset(file, 1000)
    large.lloyd(file, centers)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 6 * 8 * large.PIECE  # 13 MB; all distances would be 20 MB
    assert len(few.points) <= 1000


def test_memory_pages_of_the_file_are_released(tmp_path, monkeypatch):
    path, held = tmp_path / "points.f32", 1 << 20
    np.arange(8e6, dtype=np.float32).tofile(path)  # 32 MB
    file = np.memmap(path, np.float32, "r", shape=(2_000_000, 4))
    monkeypatch.setattr(large, "HELD", held)
    monkeypatch.setattr(large, "PIECE", held // 8)

    def resident():
        return sum(m.rss for m in psutil.Process().memory_maps() if m.path == str(path))

    assert large.cost(file, file[:3]) > 0.0
    assert resident() < 4 * held
    file.sum()
    assert resident() > 30 * held  # NumPy's sum leaves the file's pages in memory


def test_changes_to_a_private_copy_of_the_file_are_kept(tmp_path, monkeypatch):
    path = tmp_path / "points.f32"
    np.zeros((1000, 2), np.float32).tofile(path)
    monkeypatch.setattr(large, "HELD", 0)
    own = np.memmap(path, np.float32, "c", shape=(1000, 2))
    own[0] = 3.0, 4.0
    centre = np.zeros((1, 2))
    assert large.cost(own, centre) == large.cost(own, centre) == 25.0


@cases(
    ("call", "kind", "said"),
    [
        (lambda p: large.coreset(p, 0), ValueError, "size must be between 1 and .* 20, got 0"),
        (lambda p: large.coreset(p, 21), ValueError, "got 21"),
        (lambda p: large.coreset(p, 2.0), TypeError, "size must be a whole number"),
        (lambda p: large.coreset(p, 3, -1), ValueError, "seed must be 0 or more"),
        (lambda p: large.coreset(p[:, 0], 3), ValueError, "one point per row, got shape"),
        (lambda p: large.coreset(p.astype(str), 3), TypeError, "points must be real numbers"),
        (lambda p: large.cost(p, [[1.0]]), ValueError, "3 columns, like the points"),
        (lambda p: large.cost(p, [[1.0, np.nan, 0.0]]), ValueError, "centers must be finite"),
        (lambda p: large.lloyd(p, p[:2], -1), ValueError, "steps must be 0 or more"),
    ],
)
def test_invalid_arguments_are_rejected(call, kind, said):
    with pytest.raises(kind, match=said):
        call(blobs(20))


def test_missing_value_is_reported_with_its_row(monkeypatch):
    monkeypatch.setattr(large, "PIECE", 12)
    points = blobs(20)
    points[13, 1] = np.nan
    for call in (lambda: large.coreset(points, 3), lambda: large.cost(points, points[:2])):
        with pytest.raises(ValueError, match=r"points\[13, 1\] is not finite"):
            call()


def test_masked_points_are_rejected():
    with pytest.raises(ValueError, match="points must not have masked entries"):
        prviz.large.coreset(np.ma.masked_equal([[0.0], [1.0]], 1), 1)
