"""The rules for the paper's claims judge constructed runs correctly."""

import itertools
import math

import numpy as np
import pytest
from cases import cases
from experiments.made import run_of

from prviz.compare import Comparison
from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Reinitialisation
from prviz.experiments.runs.identity import ENGINE
from prviz.paper import claims
from prviz.paper.claims import Finding, verdict
from prviz.paper.results import load
from prviz.paper.studies import STUDIES, study

RESTARTS = Reinitialisation(Schedule.from_levels([Level(6)], 6))


def found(axis="iterations", **runs):
    """Return a comparison of runs given as {work: cost}, each ending at work 100."""
    names = {"affinity": "affinity propagation"}
    made = Comparison({names.get(name, name): RESTARTS for name in runs}, axis, None)
    for name, each in runs.items():
        made.runs[names.get(name, name)] = [run_of(costs, end=100) for costs in each]
    made.seeds = list(range(len(next(iter(runs.values())))))
    return made


def twenty(*improvements, n=20):
    """Return twenty runs with these improvements, slightly different from each other."""
    return [{work: cost + i / 1000 for work, cost in dict(improvements).items()} for i in range(n)]


AHEAD = found(partial=twenty((10, 9), (30, 2)), full=twenty((10, 8), (80, 4)))
BEHIND = found(partial=twenty((10, 9), (30, 5)), full=twenty((10, 8), (80, 4)))
#: Partial is lower in all pairs. With twenty runs, the interval of P would begin at only 0.83.
FORTY = found(partial=twenty((30, 2), n=40), full=twenty((80, 4), n=40))
#: Partial and full end with nearly equal costs, neither significantly better.
LEVEL = found(partial=twenty((10, 9), (90, 4)), full=twenty((10, 8), (80, 4)))


@cases(
    ("rule", "holds", "not_so"),
    [
        (claims.ahead_at_the_end, AHEAD, LEVEL),
        (claims.clearly_ahead_at_the_end, FORTY, LEVEL),
        (claims.in_a_third_of_the_work, AHEAD, BEHIND),
        (claims.behind_at_first, AHEAD, BEHIND),
        (claims.a_crossover, AHEAD, BEHIND),
        (claims.better_than_as_many, AHEAD, BEHIND),
    ],
)
def test_rule_accepts_runs_that_confirm_its_claim_and_rejects_others(rule, holds, not_so):
    assert rule(holds).holds
    assert not rule(not_so).holds


def sizes(one, five, ten):
    runs = {"partial": one, "k₁ = 5": five, "k₁ = 10": ten, "k₁ = 25": 8, "full": 9}
    return found(**{name: twenty((10, cost)) for name, cost in runs.items()})


def test_claim_about_few_centres_compares_one_centre_with_ten_or_more():
    assert claims.few_suffice(sizes(one=3, five=2, ten=5)).holds
    assert not claims.some_more_are_no_better(sizes(one=3, five=2, ten=5)).holds
    assert not claims.few_suffice(sizes(one=3, five=4, ten=2)).holds
    assert claims.some_more_are_no_better(sizes(one=3, five=4, ten=2)).holds
    shown = claims.few_suffice(sizes(one=3, five=2, ten=5)).shown
    assert [each.split(":")[0] for each in shown.split("; ")] == ["k₁ = 10", "k₁ = 25", "full"]


def test_reaching_the_cost_after_more_than_a_third_of_the_work_is_too_late():
    late = found(partial=twenty((10, 9), (34, 2)), full=twenty((10, 8), (80, 4)))
    assert claims.in_a_third_of_the_work(late) == Finding(False, "reached after 34.0% of the work")


def test_few_runs_are_never_clearly_ahead():
    assert not claims.clearly_ahead_at_the_end(AHEAD).holds


def test_claim_clearly_ahead_is_stricter_than_claim_ahead():
    """Partial is lower in 320 of 400 pairs: P = 0.8."""
    mixed = [{10: 9, 50: 2 if i < 16 else 6} for i in range(20)]
    made = found(partial=mixed, full=twenty((10, 8), (80, 4)))
    assert claims.ahead_at_the_end(made).holds
    assert claims.ahead_at_the_end(made).shown.startswith("P = 0.800")
    assert not claims.clearly_ahead_at_the_end(made).holds


def test_method_that_leads_from_the_start_is_never_behind():
    made = found(partial=twenty((10, 3)), full=twenty((10, 8)))
    assert claims.a_crossover(made).holds
    assert not claims.behind_at_first(made).holds


def against_affinity(partial, full, affinity=7.0):
    ended = [{20: affinity} for _ in range(20)]
    made = found("seconds", partial=partial, full=full, affinity=ended)
    done = [run_of(costs, end=20, over=True) for costs in ended]
    made.runs["affinity propagation"] = done
    return made


def test_affinity_propagation_leads_early_and_is_overtaken():
    made = against_affinity(twenty((1, 20), (40, 6), (90, 5)), twenty((1, 20), (30, 8)))
    assert [rule(made).holds for rule in (
        claims.affinity_is_quick, claims.partial_passes_affinity, claims.partial_goes_on
    )] == [True, True, True]  # fmt: skip
    quicker = against_affinity(twenty((1, 20)), twenty((1, 6)))
    assert [rule(quicker).holds for rule in (
        claims.affinity_is_quick, claims.partial_passes_affinity, claims.partial_goes_on
    )] == [False, False, False]  # fmt: skip


def test_affinity_propagation_leads_early_if_its_runs_end_at_different_times():
    """A run has no cost before its end, so compare after affinity propagation's last run."""
    made = against_affinity(twenty((1, 20)), twenty((1, 20), (30, 8)))
    made.runs["affinity propagation"] = [
        run_of({20 + i: 7.0}, end=20 + i, over=True) for i in range(20)
    ]
    assert claims.affinity_is_quick(made).holds


def test_11_of_20_runs_are_not_a_significant_majority():
    most = [{1: 20, 40: 6 if i < 11 else 8} for i in range(20)]
    made = against_affinity(most, twenty((1, 20)))
    finding = claims.partial_passes_affinity(made)
    assert not finding.holds and finding.shown.startswith("11 of 20 runs below 7, [")


def resets(partial, full):
    """Return runs of 500 resets each, so that two full runs have 1000 resets."""
    made = found(
        "calls", partial=[{1: cost} for cost in partial], full=[{1: cost} for cost in full]
    )
    made.runs = {
        name: [run._replace(end_calls=500) for run in runs] for name, runs in made.runs.items()
    }
    return made


def test_expected_best_is_the_mean_over_all_draws():
    """Compare with the mean of the lower cost in all nine pairs that three runs can form."""
    full = [5.0, 3.0, 8.0]
    value, low, high = claims.difference(resets([4.0, 4.0, 4.0], full))
    expected = np.mean([min(pair) for pair in itertools.product(full, repeat=2)])
    assert value == pytest.approx(4.0 - expected)
    assert low <= value <= high


def test_claim_as_good_as_many_needs_an_interval_without_values_above_0():
    full = [5.0, 5.1, 5.2, 5.3] * 5
    assert claims.as_good_as_many(resets([4.0, 4.1] * 10, full)).holds
    assert not claims.as_good_as_many(resets([4.0, 6.1] * 10, full)).holds


def test_claim_close_to_many_allows_0_05_percent():
    full = [5.0] * 20
    assert claims.close_to_many(resets([5.002] * 20, full)).holds
    assert claims.close_to_many(resets([4.998] * 20, full)).holds
    assert not claims.close_to_many(resets([5.003] * 20, full)).holds


def test_verdict_says_partly_if_some_parts_hold():
    yes, no = Finding(True, ""), Finding(False, "")
    assert verdict([yes, yes]) == "reproduced"
    assert verdict([yes, no]) == "partly"
    assert verdict([no, no]) == "not"


def test_every_study_has_all_texts():
    assert [each.name for each in STUDIES] == ["2", "3", "k1", "4", "5", "5-decay"]
    for each in STUDIES:
        assert each.claim and each.settings and each.deviations and each.parts
        assert all(part.says and part.rule for part in each.parts)
        assert set(each.contenders()) >= {"partial", "full"}
        ((unit, total),) = each.budget.items()
        assert unit in ("work", "calls", "seconds") and 0 < total < math.inf
    assert study("3").seeds == 1000 and min(study(name).seeds for name in "24") == 100
    with pytest.raises(ValueError, match="Unknown study '6': choose from 2, 3, k1, 4, 5, 5-decay"):
        study("6")


@cases("each", STUDIES)
def test_shipped_verdicts_follow_the_current_rules(each):
    result = load(each.name)
    assert [(part["says"], part["rule"]) for part in result["parts"]] == [
        (part.says, part.rule) for part in each.parts
    ]
    assert result["verdict"] == verdict([Finding(part["holds"], "") for part in result["parts"]])
    assert (result["n"], result["scale"]) == (each.seeds, 1.0)
    assert result["made"]["command"] == f"python -m prviz figures {each.name}"
    assert result["made"]["engine"] == ENGINE
