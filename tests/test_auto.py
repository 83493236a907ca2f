"""With k1="auto", the search chooses how many variables to redraw, and when to restart."""

import numpy as np
import pytest
from oracles import auto as oracle

import prviz
from prviz.figures.choices.sizes import plot_sizes, sizes_info
from prviz.search.auto import alphas_of, luby, turn
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

POINTS = np.random.default_rng(0).normal(size=(60, 2))
PROBLEM = prviz.kmeans(POINTS, 12)
GLASS = prviz.ising(prviz.datasets.torus((8, 8), "gaussian", 0), optimiser="descent")


@pytest.mark.parametrize("problem", [PROBLEM, GLASS], ids=["kmeans", "ising"])
def test_auto_equals_the_reference(problem):
    trace = prviz.run(problem, k1="auto", seed=3, calls=3000).trace
    restarts = trace.level == 2
    assert restarts.sum() > 5
    assert list(zip(trace.level, trace.counts[:, 0], strict=True)) == oracle.replay(trace)


def test_auto_uses_positive_alpha_in_every_second_redraw():
    assert sum(turn(call) for call in range(1000)) == 500
    assert alphas_of(make_schedule(PROBLEM, "auto"), PROBLEM).tolist() == [0, 0.5]
    assert alphas_of(make_schedule(PROBLEM, "auto", alpha=0.3), PROBLEM).tolist() == [0.3, 0.3]
    whole = prviz.wrap(np.sum, lambda rng: rng.integers(0, 10, 3), lambda x: x)
    # with integers, alpha must be 0
    assert alphas_of(make_schedule(whole, "auto"), whole).tolist() == [0, 0]


def test_auto_redraws_a_power_of_four_or_all_variables():
    chosen = prviz.run(PROBLEM, k1="auto", calls=300).chosen
    assert set(chosen.k) == {1, 4, 12}
    assert chosen.calls.sum() == 300


def test_auto_has_the_same_trace_in_any_number_of_steps():
    whole = prviz.run(PROBLEM, k1="auto", seed=1, calls=500).trace
    search = TracedSearch(PROBLEM, prviz.Schedule.from_levels([prviz.Level("auto")], 12), 1)
    while search.calls < 500:
        search.step(calls=min(7, 500 - search.calls))
    assert search.trace().hash() == whole.hash()


def test_auto_continues_after_saving(tmp_path):
    prviz.run(PROBLEM, k1="auto", calls=200).save(tmp_path / "run.npz")
    more = prviz.Run.load(tmp_path / "run.npz", PROBLEM).more(calls=300)
    assert more.trace.hash() == prviz.run(PROBLEM, k1="auto", calls=500).trace.hash()


def test_compare_and_run_give_the_same_costs_with_k1_auto():
    found = prviz.compare(PROBLEM, {"auto": {"k1": "auto"}}, seeds=2, calls=300, workers=2)
    assert found.runs["auto"][1].best[-1] == prviz.run(PROBLEM, "auto", seed=1, calls=300).best_cost


def test_auto_can_start_at_the_best_state_of_another_run():
    first = prviz.run(PROBLEM, k1="all", calls=20)
    assert prviz.run(PROBLEM, k1="auto", start=first, calls=50).best_cost <= first.best_cost


def test_auto_with_workers_is_reproducible():
    runs = [prviz.run(PROBLEM, k1="auto", calls=400, workers=2) for _ in range(2)]
    assert runs[0].trace.hash() == runs[1].trace.hash()


def test_auto_runs_in_plain_python():
    compiled = prviz.run(PROBLEM, k1="auto", calls=40)
    with prviz.plain_python():
        assert prviz.run(PROBLEM, k1="auto", calls=40).trace.hash() == compiled.trace.hash()


def test_auto_solves_a_problem_with_one_variable():
    assert prviz.run(prviz.landscape(1), k1="auto", calls=300).best_cost == 0


def test_auto_is_rejected_by_play():
    with pytest.raises(ValueError, match='k1="auto"'):
        prviz.play(prviz.kmeans(POINTS, 12), k1="auto")


def test_luby_returns_the_sequence():
    assert [luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    assert [luby(i) for i in range(1, 300)] == [oracle.luby(i) for i in range(1, 300)]


def test_sizes_info_counts_every_call_once():
    trace = prviz.run(prviz.landscape(4), k1="auto", calls=300).trace
    info = sizes_info(trace, 7)
    calls = np.diff(info.edges)
    partial = info.shares.sum(axis=0) * calls
    restarts = np.histogram(info.restarts, info.edges + 0.5)[0]
    assert (partial + restarts).round(9).tolist() == calls.tolist()
    assert info.restarts[0] == 1
    assert plot_sizes(info, 4).layout.yaxis.ticktext[-2:] == ("all", "restart")
