"""The scene of a spin glass has the right positions, lines of bonds, and frames."""

import numpy as np
import pytest
from cases import cases
from drawing import frame_of
from numpy.testing import assert_allclose

import prviz
from prviz.datasets import Couplings, chimera, torus
from prviz.engine import kernels
from prviz.player.pictures.frames import decode_positions
from prviz.scenes.ising import MOST_BONDS, SEGMENT, STUB, TICK, IsingScene, drawing, scene, spread


def lines_of(data, pair):
    """Return the lines of a bond, as pairs of positions."""
    _, segments = drawing(data)
    mine = [row for row in segments if {*row[:2]} == {*pair}]
    return [(tuple(row[3:5]), tuple(row[5:7])) for row in mine]


def test_bonds_across_the_boundary_of_a_square_are_drawn_as_stubs():
    data = torus((4, 5))
    places, _ = drawing(data)
    assert places[7].tolist() == [2, -1]
    assert lines_of(data, (7, 8)) == [((2, -1), (3, -1))]
    assert lines_of(data, (7, 12)) == [((2, -1), (2, -2))]
    # the bond crosses the boundary, from column 4 to column 0
    assert {*lines_of(data, (5, 9))} == {
        ((4, -1), (4 + STUB, -1)),
        ((0, -1), (-STUB, -1)),
    }
    assert {*lines_of(data, (2, 17))} == {((2, -3), (2, -3 - STUB)), ((2, 0), (2, STUB))}


def test_cube_is_drawn_in_slices():
    data = torus((3, 4, 5), "gaussian")
    places, segments = drawing(data)
    assert len({tuple(place) for place in places.tolist()}) == 60
    across = [i for i, j in data.pairs.tolist() if (j - i) % 60 in (20, 40) and j - i >= 20]
    (line,) = lines_of(data, (1, 21))
    assert_allclose(line, (places[1], places[1] + TICK))
    (line,) = lines_of(data, (1, 41))  # the bond goes from the last slice to the first
    assert_allclose(line, (places[41], places[41] + TICK))
    assert len(across) == 60
    assert len(segments) == 60 + (3 * 5 + 4 * 4) * 3 + 2 * (5 + 4) * 3


def test_a_long_lattice_is_drawn_in_bands():
    places, _ = drawing(torus((60, 4)))
    span = np.ptp(places, axis=0)
    assert len({tuple(place) for place in places.tolist()}) == 240
    assert max(span) < 4 * min(span)


@cases("data", [chimera(3), torus((4, 4))._replace(shape=())])
def test_a_graph_without_lattice_has_a_position_for_every_spin(data):
    places, segments = drawing(data)
    assert len({tuple(place) for place in np.round(places, 6).tolist()}) == len(data.fields)
    assert segments.shape == (len(data.pairs), SEGMENT)
    assert np.array_equal(segments[:, :2], data.pairs)


@cases("shore", [1, 2, 3, 4, 5])
def test_chimera_cells_do_not_overlap(shore):
    places, _ = drawing(chimera(3, shore=shore))
    assert np.array_equal(places, np.round(places))
    assert len({tuple(place) for place in places.tolist()}) == 18 * shore


def test_neighbours_are_placed_near_each_other():
    ring = Couplings(
        np.array([[i, (i + 1) % 36] if i < 35 else [0, 35] for i in range(36)]),
        np.ones(36), np.zeros(36), "ring", "made by hand",
    )  # fmt: skip
    shuffled = np.random.default_rng(0).permutation(36)
    mixed = ring._replace(pairs=np.sort(shuffled[ring.pairs], axis=1))
    places = spread(mixed)
    near = np.abs(np.diff(places[mixed.pairs], axis=1)).sum(axis=2).mean()
    anywhere = np.abs(places[:, None] - places).sum(axis=2).mean()
    assert near < anywhere / 2


def test_frame_has_spins_and_energy_and_frustrated_bonds():
    data = torus((4, 4))
    problem = prviz.ising(data, np.linspace(-1, 1, 16))
    scene = IsingScene(data, problem)
    state = kernels.allocate(problem)
    state.spins[...] = np.where(np.arange(16) % 3, 1, -1)
    frame = frame_of(scene, state, 16)
    assert frame["spins"].tolist() == [int(i % 3 > 0) for i in range(16)]
    along = data.weights * state.spins[data.pairs].prod(axis=1)
    assert frame["frustrated"] == pytest.approx((along < 0).mean())
    kernels.reinitialise(problem, state, np.arange(0), 0.0, np.random.default_rng(0))
    kernels.optimise(problem, state, np.random.default_rng(0))
    frame = frame_of(scene, state, 16)
    assert frame["energy"] == pytest.approx(kernels.cost(problem, state))
    places = np.frombuffer(scene.asset("places"), "<u2").reshape(-1, 2)
    assert_allclose(decode_positions(places, scene.world), drawing(data)[0], atol=1e-3)
    assert scene.table("spins", state)["value"].tolist() == state.spins.tolist()


@cases("sides", [(4, 5), (3, 3, 4)])
def test_lattice_is_recognised_without_its_data_set(sides):
    data = torus(sides, "gaussian")
    without, given = scene(prviz.ising(data)), IsingScene(data, prviz.ising(data))
    assert without.asset("bonds") == given.asset("bonds")


def test_no_bond_is_drawn_if_there_are_too_many():
    n = 100
    pairs = np.array([(i, j) for i in range(n) for j in range(i)])[:, ::-1]
    data = Couplings(pairs, np.ones(len(pairs)), np.zeros(n), "all", "made by hand")
    assert len(pairs) > MOST_BONDS
    scene = IsingScene(data, prviz.ising(data))
    assert [layer["kind"] for layer in scene.layers] == ["cells", "lattice"]
    with pytest.raises(KeyError):
        scene.asset("bonds")
