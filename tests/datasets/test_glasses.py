"""Couplings on lattices and from files have the right values, or errors with line numbers."""

import gzip
import itertools

import numpy as np
import pytest
from cases import cases

from prviz.datasets import DataUnavailable, chimera, glass, read_glass, torus
from prviz.datasets.sets import fetch, glasses
from prviz.datasets.sets.ground_states import ground_energy
from prviz.datasets.sets.lattices import shape_of, torus_pairs
from prviz.datasets.types.couplings import check_qubo, on_a_grid

MARKET = b"%%%%MatrixMarket matrix coordinate %s\n"
SQUARE = b"4 4\n1 2 1\n2 3 1\n3 4 1\n1 4 -2\n"


@cases("shape", [(3, 3), (4, 7), (3, 4, 5)])
def test_a_torus_couples_each_spin_to_the_next_along_every_side(shape):
    made = torus(shape)
    pairs = {tuple(pair) for pair in made.pairs.tolist()}
    for place in itertools.product(*map(range, shape)):
        i = int(np.ravel_multi_index(place, shape))
        for axis, side in enumerate(shape):
            other = list(place)
            other[axis] = (place[axis] + 1) % side
            j = int(np.ravel_multi_index(other, shape))
            assert (min(i, j), max(i, j)) in pairs
    assert len(pairs) == len(made.pairs) == len(shape) * np.prod(shape)
    assert set(made.weights) == {-1.0, 1.0} and made.shape == shape
    assert torus(shape, seed=1).weights.tolist() != made.weights.tolist()


def test_gaussian_couplings_are_normal_and_rounded_to_16_binary_digits():
    weights = torus((20, 20, 20), "gaussian").weights
    assert abs(weights.mean()) < 0.05 and abs(weights.std() - 1) < 0.02
    assert (weights * 2**16 == np.rint(weights * 2**16)).all()


def test_chimera_spins_have_four_neighbours_inside_and_one_per_next_cell():
    made = chimera(3)
    degrees = np.bincount(made.pairs.ravel(), minlength=72).reshape(3, 3, 2, 4)
    assert (degrees[:, :, 0] == 4 + np.array([1, 2, 1])[:, None, None]).all()
    assert (degrees[:, :, 1] == 4 + np.array([1, 2, 1])[None, :, None]).all()
    assert len(chimera(1).pairs) == 16


def test_chimera_cell_is_a_cross_with_an_empty_centre():
    places = chimera(2, shore=2).places.reshape(2, 2, 4, 2)  # cells are 4 apart
    assert places[0, 0].tolist() == [[-1, 0], [1, 0], [0, 1], [0, -1]]
    assert places[1, 1].tolist() == [[3, -4], [5, -4], [4, -3], [4, -5]]


def test_a_lattice_is_recognised_by_its_pairs():
    for shape in ((5, 5), (100, 8), (3, 4, 5), (5, 4, 3)):
        n = int(np.prod(shape))
        assert torus_pairs(shape_of(n, torus_pairs(shape))).tolist() == torus_pairs(shape).tolist()
    assert shape_of(9, np.array([[0, 1]])) == ()
    assert shape_of(72, chimera(3).pairs) == ()


@cases("content", [SQUARE, gzip.compress(SQUARE, mtime=0)])
def test_graph_file_is_read_as_max_cut(content):
    made = read_glass(content, "square")
    assert made.pairs.tolist() == [[0, 1], [0, 3], [1, 2], [2, 3]]
    assert made.weights.tolist() == [-1, 2, -1, -1]
    for spins in itertools.product((-1, 1), repeat=4):  # E = Σ w − 2 cut
        energy = -sum(
            J * spins[i] * spins[j] for (i, j), J in zip(made.pairs, made.weights, strict=True)
        )
        cut = sum(
            w
            for (i, j), w in {(0, 1): 1, (1, 2): 1, (2, 3): 1, (0, 3): -2}.items()
            if spins[i] != spins[j]
        )
        assert energy == 1 - 2 * cut and made.cut(energy) == cut


def test_file_may_contain_couplings_and_fields_or_a_qubo():
    text = b"# a comment\n3 3\n1 1 0.5\n1 2 -1\n3 2\n"
    made = read_glass(text, kind="couplings")
    assert made.fields.tolist() == [0.5, 0, 0]
    assert made.weights.tolist() == [-1, 1]
    made = read_glass(text, kind="qubo")  # 0.5 x₁² − 2 x₁ x₂ + 2 x₂ x₃
    for x in itertools.product((0, 1), repeat=3):
        spins = 2 * np.array(x) - 1
        energy = made.offset - made.fields @ spins
        energy -= sum(
            J * spins[i] * spins[j] for (i, j), J in zip(made.pairs, made.weights, strict=True)
        )
        assert energy == 0.5 * x[0] - 2 * x[0] * x[1] + 2 * x[1] * x[2]


def test_read_glass_reads_qbsolv_and_dimacs_and_matrix_market():
    text = b"c any\np qubo 0 3 1 2\n0 0 0.5\n0 1 -2\n1 2 2\n"
    plain = b"3 3\n1 1 0.5\n1 2 -1\n3 2 1\n"
    assert (
        read_glass(text, kind="qubo").weights.tolist()
        == read_glass(plain, kind="qubo").weights.tolist()
    )
    graph = read_glass(b"c x\np edge 3 2\ne 1 2\ne 2 3\n")
    assert graph.pairs.tolist() == [[0, 1], [1, 2]] and graph.weights.tolist() == [-1, -1]
    market = b"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n3 2 1\n"
    assert read_glass(market, kind="couplings").weights.tolist() == [1.5, 1]
    with pytest.raises(ValueError, match=r"a DIMACS graph .*kind='maxcut'"):
        read_glass(b"p edge 3 2\ne 1 2\ne 2 3\n", kind="qubo")


@cases(
    ("form", "lines", "Q"),
    [
        (b"general", b"2 2 3\n1 1 2\n2 2 3\n1 2 -4\n", [[2, -4], [0, 3]]),
        (b"general", b"2 2 4\n1 1 2\n2 2 3\n1 2 -4\n2 1 -1\n", [[2, -4], [-1, 3]]),
        (b"symmetric", b"2 2 3\n1 1 2\n2 2 3\n2 1 -4\n", [[2, -4], [-4, 3]]),
    ],
)
def test_matrix_market_file_of_a_qubo_has_all_entries(form, lines, Q):
    read, wanted = read_glass(MARKET % (b"real " + form) + lines, kind="qubo"), check_qubo(Q)
    for name in ("pairs", "weights", "fields", "offset"):
        np.testing.assert_array_equal(getattr(read, name), getattr(wanted, name))


def test_dense_matrix_market_file_is_read():
    dense = b"%%MatrixMarket matrix array real symmetric\n2 2\n0\n1.5\n0\n"
    assert read_glass(dense, kind="couplings").weights.tolist() == [1.5]


def test_error_of_a_qbsolv_file_names_the_line_and_its_numbers():
    with pytest.raises(ValueError, match="line 4 names a spin outside 0 to 1: 0 2"):
        read_glass(b"c any\np qubo 0 2 1 1\n0 0 3\n0 2 2\n", kind="qubo")


@cases(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"# nothing else", "line 1 must have the numbers of spins and pairs"),
        (b"four 4\n", "line 1 must have the numbers of spins and pairs"),
        (b"\n4\n", "line 2 must have the numbers of spins and pairs"),
        (b"0 0\n", "has 0 spins"),
        (b"4 1\n1 5 1\n", "line 2 names a spin outside 1 to 4: 1 5"),
        (b"4 1\n0 1 1\n", "line 2 names a spin outside"),
        (b"4 2\n1 2 1\n2 1 1\n", "line 3 repeats the pair 1 2"),
        (b"4 1\n2 2 1\n", "line 2 joins 2 to itself"),
        (b"4 1\n1 2 3 4\n", "line 2 has 4 words"),
        (b"4 1\n1 2 x\n", "line 2 is not a pair"),
        (b"4 1\n1 2 nan\n", "line 2 has a weight that is not finite"),
        (b"4 3\n1 2 1\n", "announces 3 lines, but there are 1"),
        (b"4 1\n1 \x00 2", "not text"),
        (b"c a\nc b\np\tedge 3 2\ne 1 2\ne 2 9\n", "line 5 names a spin outside 1 to 3: 2 9"),
        (MARKET % b"real general" + b"3 3 2\n1 2 1\n1 2 1\n", "repeats an entry"),
        (MARKET % b"complex symmetric" + b"2 2 1\n2 1 1 2\n", "complex numbers"),
    ],
)
def test_invalid_file_is_rejected_with_its_line(content, words):
    with pytest.raises(ValueError, match=words):
        read_glass(content)


def test_unknown_kinds_and_names_are_rejected():
    with pytest.raises(ValueError, match="kind must be one of"):
        read_glass(SQUARE, kind="tsp")
    with pytest.raises(TypeError, match="pass a path"):
        read_glass(7)
    with pytest.raises(ValueError, match="Unknown spin glass 'G2'"):
        glass("G2")
    with pytest.raises(ValueError, match="at least 3"):
        torus((2, 5))
    with pytest.raises(ValueError, match="'signs' or 'gaussian'"):
        torus(4, "normal")


def test_benchmark_is_recognised_by_its_values(data_dir):
    for name, n, edges in (("t3g5", 125, 375), ("G11", 800, 1600), ("G1", 800, 19176)):
        data = glass(name)
        assert (len(data.fields), len(data.pairs)) == (n, edges)
        assert data.cut(data.best_known) == glasses.KNOWN[name].best
    assert glass("t3g5").shape == (5, 5, 5) and glass("G11").shape == (100, 8)
    assert glass("bqp50-1").best_known == -2098


@cases("expected", ["0" * 64, "f" * 64])  # the lowest and the highest hash
def test_file_with_wrong_values_is_rejected(monkeypatch, tmp_path, expected):
    (tmp_path / "G1.txt").write_bytes(SQUARE)
    monkeypatch.setenv("PRVIZ_DATA_DIR", str(tmp_path))
    monkeypatch.setitem(glasses.KNOWN, "G1", glasses.KNOWN["G1"]._replace(numbers=expected))
    with pytest.raises(DataUnavailable, match="its content does not match G1"):
        glass("G1")


def test_download_is_accepted_only_with_the_known_values(monkeypatch, tmp_path, data_dir):
    kept = fetch.read(fetch.find(["G1.txt.gz"]))
    monkeypatch.setenv("PRVIZ_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(fetch, "cache_folder", lambda: tmp_path / "cache")
    asked = []

    def download(name, sha256, base_url):
        asked.append((name, base_url))
        text = gzip.decompress(kept)
        return text.replace(b"19176", b"19176 J", 1) if base_url == "good" else SQUARE

    monkeypatch.setattr(fetch, "download", download)
    assert len(glass("G1", "good").pairs) == 19176  # as in the real file
    with pytest.raises(DataUnavailable, match="its content does not match G1"):
        glass("G1", "bad")
    assert asked == [("G1.txt", "good"), ("G1.txt", "bad")]


@cases("shape", [(3, 4), (4, 3)])
def test_ground_energy_is_the_lowest_of_all_configurations(shape):
    made = torus(shape, "gaussian", 3)
    spins = np.array(list(itertools.product((-1, 1), repeat=12)))
    along = spins[:, made.pairs[:, 0]] * spins[:, made.pairs[:, 1]]
    assert ground_energy(made) == -(along @ made.weights).max()


def test_ground_energy_rejects_unprovable_cases():
    for made in (torus((3, 3, 3)), torus((3, 11)), torus((3, 3))._replace(fields=np.ones(9))):
        with pytest.raises(ValueError, match="a torus of two dimensions without fields"):
            ground_energy(made)


def test_rounding_keeps_integers_and_makes_sums_exact():
    made = torus((6, 6), "gaussian")._replace(weights=np.random.default_rng(0).normal(size=72))
    _, weights, _, _ = on_a_grid(made)
    np.testing.assert_allclose(weights, made.weights, rtol=0, atol=1e-12)
    orders = [np.random.default_rng(seed).permutation(72) for seed in range(5)]
    assert len({float(np.cumsum(weights[order])[-1]) for order in orders}) == 1
