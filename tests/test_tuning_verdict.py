"""The verdict of a tuning is the right sentence."""

import math
from types import SimpleNamespace

import numpy as np
from cases import cases

from prviz.experiments.statistics.pairwise import Chance, Ratio
from prviz.experiments.tuning.tuner import Checked
from prviz.figures.comparison.tuning_verdict import verdict

CHANCE = Chance(0.7, 0.6, 0.8, 100, 100)
CELLS = [SimpleNamespace(name=name) for name in ("k₁ = 2, M₁ = 9", "k₁ = 1, M₁ = 100")]
FULL = SimpleNamespace(name="full restarts")


def runs_with(*costs):
    """Return runs that end at these costs."""
    return {seed: SimpleNamespace(best=np.array([9.0, cost])) for seed, cost in enumerate(costs)}


#: Final costs of the runs of three settings. The target is 1: in NONE no setting reaches it, in
#: OTHERS the second does, in SOME the first.
NONE = {"runs": [runs_with(3.0, 2.0, 4.0), runs_with(5.0, 6.0), runs_with(7.0)]}
OTHERS = {"runs": [runs_with(3.0, 2.0, 4.0), runs_with(0.5, 6.0), runs_with(7.0)]}
SOME = {"runs": [runs_with(1.0, 2.0, 4.0), runs_with(5.0, 6.0), runs_with(7.0)]}


def tuning(ratio, better=False, leader=0, target=-math.inf, **more):
    checked = Checked(100, ratio and Ratio(*ratio), CHANCE, better)
    told = {"done": True, "checked": checked, "better": better, "leader": leader, "usual": 1}
    told |= {"whose": "the paper's setting", "cells": [*CELLS, FULL], "living": [0, 1]}
    told |= {"budget": SimpleNamespace(target=target), **NONE}
    return SimpleNamespace(**{**told, **more})


@cases(
    ("found", "says"),
    [
        (
            tuning((0.5, 0.4, 0.8, 90, 100, 70, 100), better=True),
            "k₁ = 2, M₁ = 9 reaches the target 2× [1.2–2.5] sooner than the paper's setting, "
            "on 100 fresh seeds.",
        ),
        (
            tuning((0.9, 0.7, 1.2, 90, 100, 70, 100)),
            "No setting is significantly better than the paper's setting. The leader: "
            "k₁ = 2, M₁ = 9 reaches the target 1.1× [0.83–1.4] sooner than the paper's setting, "
            "on 100 fresh seeds.",
        ),
        (
            tuning((2.0, 1.5, 3.0, 40, 100, 70, 100), leader=2),
            "No setting is significantly better than the paper's setting. The leader: "
            "full restarts take 2× [1.5–3] as long as the paper's setting, on 100 fresh seeds.",
        ),
        (
            tuning((0.0, 0.0, 0.4, 9, 100, 0, 100), better=True, leader=2),
            "Full restarts reach the target in 9 of 100 runs, the paper's setting in 0 of 100, on "
            "100 fresh seeds.",
        ),
        (
            tuning((float("inf"), 2.0, float("inf"), 0, 100, 5, 100)),
            "No setting is significantly better than the paper's setting. The leader: "
            "k₁ = 2, M₁ = 9 reaches the target in 0 of 100 runs, the paper's setting in 5 of 100, "
            "on 100 fresh seeds.",
        ),
        (
            tuning(None, better=True),
            "k₁ = 2, M₁ = 9 ends lower than the paper's setting in 70% [60%–80%] of pairs of "
            "runs, on 100 fresh seeds.",
        ),
        (
            tuning(None, leader=1),
            "No setting is significantly better: the paper's setting itself, "
            "k₁ = 1, M₁ = 100, leads.",
        ),
        (
            tuning(None, checked=None),
            "Best guess: k₁ = 2, M₁ = 9; not yet checked on fresh seeds.",
        ),
        (
            tuning(None, done=False),
            "Best guess so far: k₁ = 2, M₁ = 9; 2 of 3 settings are left.",
        ),
        (
            tuning(None, done=False, target=1.0, **SOME),
            "Best guess so far: k₁ = 2, M₁ = 9; 2 of 3 settings are left.",
        ),
        (
            tuning(None, done=False, target=1.0),
            "None of 6 runs has reached the target. Lowest costs so far: k₁ = 2, M₁ = 9, with a "
            "median of 3; 2 of 3 settings are left.",
        ),
        (
            tuning(None, checked=None, target=1.0, **OTHERS),
            "Best mean rank: k₁ = 2, M₁ = 9, but none of its 3 runs has reached the target; not "
            "yet checked on fresh seeds.",
        ),
        (
            tuning(None, leader=1, target=1.0),
            "None of 6 runs has reached the target. No setting is significantly better: the "
            "paper's setting itself, k₁ = 1, M₁ = 100, leads.",
        ),
        (
            tuning(None, better=True, target=1.0),
            "k₁ = 2, M₁ = 9 ends lower than the paper's setting in 70% [60%–80%] of pairs of "
            "runs, but neither reaches the target, on 100 fresh seeds.",
        ),
        (tuning(None, leader=None), ""),
    ],
)
def test_verdict_says_whether_the_leader_is_better(found, says):
    assert verdict(found) == says
