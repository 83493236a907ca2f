"""A replay stores the calls that it needs to show the story of the whole search."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from prviz.player.export.replay import worth_telling


def test_replay_stores_the_first_calls_all_bests_and_evenly_spaced_reverts():
    bests, reverted = [1, 40, 90], list(range(2, 40)) + list(range(41, 90))
    found = worth_telling(bests, reverted, 90, most=20)
    assert found[:2] == [1, 2]  # the run's first calls: a tenth of the 20 stored
    assert {*bests} <= {*found}
    assert {*found} <= {*bests, *reverted} and 89 in found  # 89 is the last revert
    gaps = [after - before for before, after in pairwise(found)]
    assert max(gaps) <= 11  # of 87 reverts, 9 are stored, evenly spaced


def test_short_run_is_stored_completely():
    assert worth_telling([1, 3], [2, 4], 4) == [1, 2, 3, 4]


@given(st.lists(st.booleans(), min_size=1, max_size=300), st.integers(2, 60))
def test_calls_are_ascending_and_few_and_include_the_last_best(better, most):
    bests = [1, *(call for call, best in enumerate(better[1:], 2) if best)]
    reverted = [call for call in range(2, len(better) + 1) if call not in bests]
    found = worth_telling(bests, reverted, len(better), most)
    assert found == sorted({*found}) and found[0] >= 1 and found[-1] <= len(better)
    assert len(found) <= most and bests[-1] in found
