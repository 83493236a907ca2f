"""What every problem must do. A new problem adds one line to PROBLEMS."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import prviz
from prviz.engine import kernels
from prviz.engine.dispatch import row, stack
from prviz.engine.schedule import Level, Schedule
from prviz.engine.trace import load_trace
from prviz.problems.hmm.baum_welch import HMMState
from prviz.traced import RecordedSearch

ROOT = Path(__file__).parents[2]
JIT_OFF = numba.config.DISABLE_JIT
CALLS = 25
SEEDS = range(2 if JIT_OFF else 5)  # plain Python is slow, and gives the same traces
CHUNKS = (1, 2, 3, 14) if JIT_OFF else (1, 2, 3, 14, 40)


class Case(NamedTuple):
    """A problem, and what the contract has to know of its state.

    Attributes
    ----------
    problem
    variables : tuple of str
        Fields of the configuration.
    caches : tuple of str
        Fields that a redraw may touch beside them.
    renormalised : tuple of str
        Fields of the configuration with a column for each variable (or an entry, without rows).
        In a row of a variable that is not redrawn, a redraw changes the columns of those that
        are, and may multiply all others by one factor, so that the row keeps its sum.
    scalars : bool
        A variable is one number: those of the first field, then those of the second, and so on.
    stochastic : bool
        The optimiser follows no cost: it may raise it, and doesn't end at an optimum.
    subset : str
        The sub-set heuristic of the levels below the top one.
    """

    problem: Any
    variables: tuple[str, ...]
    caches: tuple[str, ...] = ()
    renormalised: tuple[str, ...] = ()
    scalars: bool = False
    stochastic: bool = False
    subset: str = "random"


LLOYD_CACHES = ("clusters", "clock", "order")
MEDOID_CACHES = ("cluster_numbers", "cursor")
MODEL = ("transition", "emission", "start")
_points = np.random.default_rng(0).integers(0, 200, size=(90, 2)).astype(float)
_bits = prviz.datasets.bits(20)
MACHINE = (("weights", "visible_bias", "hidden_bias"), ("progress",))
_examples = prviz.datasets.patterns(30).examples
_uneven = np.random.default_rng(1).random((40, 40)) * (1 - np.eye(40))

PROBLEMS = {
    "landscape": Case(prviz.landscape(6, rotated=True), ("position",)),
    "k-means": Case(prviz.kmeans(_points, 7), ("centers",), LLOYD_CACHES),
    "k-means++": Case(prviz.kmeans(_points, 7, "k-means++"), ("centers",), LLOYD_CACHES),
    "k-means, 3-D": Case(prviz.kmeans(_points.reshape(60, 3), 7), ("centers",), LLOYD_CACHES),
    **{
        f"k-means, {subset}": Case(
            prviz.kmeans(_points, 7), ("centers",), LLOYD_CACHES, subset=subset
        )
        for subset in ("neighbours", "tournament")
    },
    "k-means, plain tournament": Case(
        prviz.kmeans(_points, 7, lloyd="plain"), ("centers",), ("order",), subset="tournament"
    ),
    "k-means, plain": Case(prviz.kmeans(_points, 7, lloyd="plain"), ("centers",), ("order",)),
    "k-medoids, alternate": Case(
        prviz.kmedoids(prviz.dissimilarity(_points), 7), ("medoids",), MEDOID_CACHES
    ),
    "k-medoids, swap": Case(
        prviz.kmedoids(prviz.dissimilarity(_points), 7, "swap"), ("medoids",), MEDOID_CACHES
    ),
    "k-medoids, asymmetric float32": Case(
        prviz.kmedoids(_uneven.astype(np.float32), 6, "swap"), ("medoids",), MEDOID_CACHES
    ),
    "k-medoids, local": Case(
        prviz.kmedoids(_uneven.astype(np.float32), 6, "swap"),
        ("medoids",),
        MEDOID_CACHES,
        subset="local",
    ),
    "k-medoids, plain alternate": Case(
        prviz.kmedoids(_uneven, 6, search="plain"), ("medoids",), ("cursor",)
    ),
    "k-medoids, plain swap": Case(
        prviz.kmedoids(_uneven, 6, "swap", "plain"), ("medoids",), ("cursor",)
    ),
    "HMM, plain": Case(
        prviz.hmm(_bits, 6, baum_welch="plain"), MODEL, ("progress",), ("transition", "start")
    ),
    "HMM": Case(
        prviz.hmm(_bits, 6, baum_welch="sparse"),
        MODEL,
        ("progress", *HMMState.WORKSPACE),
        ("transition", "start"),
    ),
    "HMM, together": Case(
        prviz.hmm(_bits, 6, baum_welch="sparse"),
        MODEL,
        ("progress", *HMMState.WORKSPACE),
        ("transition", "start"),
        subset="together",
    ),
    "RBM, unit": Case(
        prviz.rbm(_examples, 5, 0.05, epochs=12, batch=7),
        *MACHINE,
        scalars=True,
        stochastic=True,
        subset="unit",
    ),
    "RBM": Case(
        prviz.rbm(_examples, 5, 0.05, epochs=12, weight_decay=0.01, batch=7),
        *MACHINE,
        scalars=True,
        stochastic=True,
    ),
    "RBM, plain": Case(
        prviz.rbm(_examples, 5, 0.05, epochs=12, weight_decay=0.01, batch=7, search="plain"),
        *MACHINE,
        scalars=True,
        stochastic=True,
    ),
    "RBM, exact": Case(
        prviz.rbm(_examples[:, :3], 4, epochs=40, weight_decay=0.01, optimiser="exact"),
        *MACHINE,
        scalars=True,
    ),
    "RBM, plain exact": Case(
        prviz.rbm(_examples[:, :3], 2, epochs=40, optimiser="exact", search="plain"),
        *MACHINE,
        scalars=True,
    ),
}
pytestmark = pytest.mark.parametrize("name", PROBLEMS)


def made(name, calls=0, seed=0):
    """A search some calls into a three-level schedule."""
    problem = PROBLEMS[name].problem
    N = kernels.n_variables(problem)
    subset = PROBLEMS[name].subset
    below = [Level(1, 4, subset=subset), Level(3, 2, subset=subset)]
    schedule = Schedule.from_levels([*below, Level(N)], N)
    search = RecordedSearch(problem, schedule, seed)
    if calls:
        search.step(calls=calls)
    return problem, schedule, search


def configuration(name, state):
    return [getattr(state, field).copy() for field in PROBLEMS[name].variables]


def optimum(name, seed=0):
    problem, _, search = made(name, 3, seed)
    state, rng = search.search.state, np.random.default_rng(seed)
    kernels.optimise(problem, state, rng)
    return problem, state, rng


@pytest.mark.parametrize("seed", SEEDS)
def test_optimise_returns_the_true_cost_and_never_raises_it(name, seed):
    problem, state, rng = optimum(name, seed)
    N = kernels.n_variables(problem)
    kernels.reinitialise(problem, state, np.arange(0, N, 2), 0.0, rng)
    before = kernels.cost(problem, state)
    cost, iterations = kernels.optimise(problem, state, rng)
    assert iterations >= 1
    assert cost == pytest.approx(kernels.cost(problem, state), rel=1e-9)
    if PROBLEMS[name].stochastic:
        return
    assert cost <= before * (1 + 1e-12)
    again, _ = kernels.optimise(problem, state, rng)
    assert again == pytest.approx(cost, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_reinitialise_changes_only_the_chosen_variables_and_declared_caches(name, alpha):
    problem, state, rng = optimum(name)
    before = {field: getattr(state, field).copy() for field in state._fields}
    chosen = np.array([1, 4])
    kernels.reinitialise(problem, state, chosen, alpha, rng)
    case = PROBLEMS[name]
    others = np.setdiff1d(np.arange(kernels.n_variables(problem)), chosen)
    if case.scalars:
        now = np.concatenate([getattr(state, field).ravel() for field in case.variables])
        then = np.concatenate([before[field].ravel() for field in case.variables])
        assert (now != then)[chosen].all()
        assert now[others].tobytes() == then[others].tobytes()
    for field in state._fields:
        if case.scalars and field in case.variables:
            continue
        now, then = getattr(state, field), before[field]
        if field in case.variables:
            assert now[chosen].tobytes() != then[chosen].tobytes()
        if field in case.renormalised:
            columns = np.ix_(*[others] * now.ndim)
            assert_same_up_to_a_factor(now[columns], then[columns])
        elif field in case.variables:
            assert now[others].tobytes() == then[others].tobytes()
        elif field not in case.caches:
            assert now.tobytes() == then.tobytes(), field


def assert_same_up_to_a_factor(now, then):
    """Every row of ``now`` is that of ``then`` times a number."""
    sums = [rows.sum(axis=-1, keepdims=True) for rows in (now, then)]
    np.testing.assert_allclose(now * sums[1], then * sums[0], rtol=1e-12, atol=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_revert_restores_everything(name, seed):
    """After a revert the search goes on exactly as if the redraw had not happened."""
    problem, state, _ = optimum(name, seed)
    untouched = type(state)(*(array.copy() for array in state))
    saved = row(stack(state, 2), 1)
    kernels.copy_state(problem, saved, state)
    before, cost = configuration(name, state), kernels.cost(problem, state)
    for redraw in range(20):
        rng = np.random.default_rng(redraw)
        chosen = rng.permutation(kernels.n_variables(problem))[: 1 + redraw % 3]
        kernels.reinitialise(problem, state, chosen, 0.0, rng)
        kernels.optimise(problem, state, rng)
        kernels.copy_state(problem, state, saved)
        for now, then in zip(configuration(name, state), before, strict=True):
            assert now.tobytes() == then.tobytes()
        assert kernels.cost(problem, state) == cost
    for which in (state, untouched):
        kernels.reinitialise(problem, which, np.array([0]), 0.0, np.random.default_rng(99))
    ends = [kernels.optimise(problem, s, np.random.default_rng(1)) for s in (state, untouched)]
    assert ends[0] == ends[1]
    for one, other in zip(*(configuration(name, s) for s in (state, untouched)), strict=True):
        assert one.tobytes() == other.tobytes()


def test_iterating_to_the_end_is_optimising(name):
    problem, _, search = made(name, 5)
    moment = search.moment()
    ends = []
    for _ in range(2):
        resumed, rng = moment.resume()
        kernels.reinitialise(problem, resumed.state, np.array([2, 3]), 0.0, rng)
        ends.append((resumed.state, rng))
    cost, iterations = kernels.optimise(problem, *ends[0])
    steps = 1
    while not kernels.iterate(problem, *ends[1]):
        kernels.cost(problem, ends[1][0])  # looking changes nothing
        steps += 1
    assert (steps, kernels.cost(problem, ends[1][0])) == (iterations, cost)


def test_same_seed_same_calls_same_trace_for_any_chunking(name):
    _, _, whole = made(name, sum(CHUNKS), seed=4)
    _, _, pieces = made(name, 0, seed=4)
    for calls in CHUNKS:
        pieces.step(calls=calls)
    assert pieces.trace().hash() == whole.trace().hash()
    assert made(name, sum(CHUNKS), seed=5)[2].trace().hash() != whole.trace().hash()


def test_a_call_that_is_interrupted_leaves_no_row_and_what_was_found(name):
    problem, _, search = made(name, 20)
    before, best = search.trace().hash(), search.search.best_cost
    search.interrupt()
    assert len(search.step(calls=10).cost) == 0
    assert search.calls == 20 and search.trace().hash() == before
    assert search.search.best_cost == best
    assert kernels.cost(problem, search.best_state()) == pytest.approx(best, rel=1e-12)


@pytest.fixture(scope="module")
def plain_traces(tmp_path_factory):
    """The traces of all problems without the compiler, by name, made in another process."""
    folder = tmp_path_factory.mktemp("plain")
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
    }
    subprocess.run([sys.executable, __file__, str(folder)], env=environment, check=True)
    return {name: load_trace(folder / f"{i}.npz")[0] for i, name in enumerate(PROBLEMS)}


@pytest.mark.skipif(JIT_OFF, reason="there is nothing compiled to compare with")
def test_compiled_and_plain_python_give_the_same_trace(name, plain_traces):
    compiled, plain = made(name, CALLS, seed=2)[2].trace(), plain_traces[name]
    np.testing.assert_array_equal(plain.kept, compiled.kept)
    np.testing.assert_array_equal(plain.redrawn, compiled.redrawn)
    np.testing.assert_array_equal(plain.iterations, compiled.iterations)
    np.testing.assert_array_equal(plain.cost, compiled.cost)
    assert plain.hash() == compiled.hash()  # Python sums in the written order


if __name__ == "__main__":
    for i, name in enumerate(PROBLEMS):
        made(name, CALLS, seed=2)[2].trace().save(Path(sys.argv[1]) / f"{i}.npz")
