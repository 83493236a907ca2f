"""Halving equals a hand calculation, and keeps the best setting on simulated grids."""

import numpy as np

from prviz.experiments.tuning.halving import Halving


def run_all(halving, score):
    """Run a halving to its end; return the (setting, seed) pairs of each round."""
    asked = []
    for wanted in halving.asks():
        asked.append(wanted)
        for cell, seed in wanted:
            halving.take(cell, seed, score(cell, seed))
    return asked


def test_poor_settings_run_five_seeds_and_the_leader_runs_ahead():
    halving = Halving(4, stay={3})
    asked = run_all(halving, lambda cell, seed: (0, 100.0 * cell + seed))
    assert asked[0] == [(cell, seed) for seed in range(5) for cell in range(4)]
    assert asked[1] == [(0, seed) for seed in range(5, 20)]  # the leader runs two rungs ahead
    assert halving.dropped == {1: 0, 2: 0}
    # setting 3 is not dropped, although it is last
    assert asked[2] == [(3, seed) for seed in range(5, 10)]
    assert asked[3] == [(0, seed) for seed in range(20, 40)]
    assert halving.leader == 0 and [len(each) for each in halving.scored] == [40, 5, 5, 40]


def test_equal_settings_all_reach_the_last_rung():
    halving = Halving(3, stay=())
    run_all(halving, lambda cell, seed: (0, seed % 7))
    assert halving.dropped == {} and {len(each) for each in halving.scored} == {40}


def test_miss_with_a_small_gap_ranks_behind_every_hit():
    halving = Halving(2, stay=())
    run_all(halving, lambda cell, seed: (1, 0.001) if cell == 0 else (0, 900.0 + seed))
    assert halving.leader == 1 and halving.dropped == {0: 0}


def test_the_only_setting_is_the_leader():
    halving = Halving(1, stay=())
    assert halving.first() is None
    run_all(halving, lambda cell, seed: (0, seed))
    assert halving.leader == 0


def simulated(rates, seed):
    """Run a halving with exponential times to the target.

    A run with a time above 1 misses the target, and its score is a random gap.
    """
    rng = np.random.default_rng(seed)
    times = rng.exponential(1.0, (len(rates), 40)) / rates[:, None]
    gaps = rng.normal(size=times.shape) - np.log(rates)[:, None]
    halving = Halving(len(rates), stay={0})
    run_all(
        halving,
        lambda cell, seed: (
            (0, times[cell, seed]) if times[cell, seed] <= 1 else (1, gaps[cell, seed])
        ),
    )
    runs = [len(each) for each in halving.scored]
    spent = np.minimum(times, 1.0)
    work = sum(spent[cell, :n].sum() for cell, n in enumerate(runs))
    return halving, work / spent.sum()


def test_best_setting_is_dropped_in_none_of_ten_grids():
    rng = np.random.default_rng(0)
    grids = [np.exp(rng.normal(0.0, 1.3, 12)) for _ in range(10)]
    found = [simulated(rates, seed) for seed, rates in enumerate(grids)]
    assert not any(int(np.argmax(r)) in h.dropped for r, (h, _) in zip(grids, found, strict=True))
    assert np.mean([work for _, work in found]) < 0.6  # less than 60 % of the work of the full grid
