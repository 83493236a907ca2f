"""Results of comparisons are described in words."""

import math

from cases import cases

import prviz
from prviz.experiments.statistics.crossover import Crossover
from prviz.experiments.statistics.fixed_target import ERT
from prviz.experiments.statistics.pairwise import Chance, Ratio


@cases(
    ("result", "words"),
    [
        (
            ERT(1234.0, 900.0, math.inf, 7, 10),
            "<ERT: 1\u202f230 [900–∞] iterations; 7 of 10 runs reached the target>",
        ),
        (
            ERT(math.inf, 5.0, math.inf, 0, 3, "seconds"),
            "<ERT: at least 5 CPU seconds; 0 of 3 runs reached the target>",
        ),
        (
            Chance(0.7, 0.6, 0.8, 100, 90),
            "<Chance: A is below B in 70% [60%–80%] of pairs of runs; n = 100 + 90>",
        ),
        (
            Chance(0.62, 0.503, 0.74, 100, 90, ("m1=20", "full")),
            "<Chance: m1=20 is below full in 62.0% [50.3%–74.0%] of pairs of runs; n = 100 + 90>",
        ),
        (
            Ratio(2.0, 1.0, 3.0, 9, 10, 8, 10, ("m1=20", "full")),
            "<Ratio: m1=20 takes 2 [1–3] times the work of full; 9 of 10 and 8 of 10 runs "
            "reached the target>",
        ),
        (
            Crossover(None, math.inf, math.inf, 1.0, 500.0, 5, 5, "calls", ("m1=20", "full")),
            "<Crossover: m1=20 is not ahead of full after 500 calls; n = 5 + 5>",
        ),
        (
            Ratio(0.5, 0.25, 0.75, 9, 10, 8, 10),
            "<Ratio: A takes 0.5 [0.25–0.75] times the work of B; 9 of 10 and 8 of 10 runs "
            "reached the target>",
        ),
        (
            Ratio(math.nan, 0.0, math.inf, 0, 10, 0, 10),
            "<Ratio: unknown; 0 of 10 and 0 of 10 runs reached the target>",
        ),
        (
            Crossover(20.0, 10.0, 40.0, 0.0, 500.0, 5, 5, "calls"),
            "<Crossover: A is ahead of B from 20 [10–40] to 500 calls; n = 5 + 5>",
        ),
        (
            Crossover(None, math.inf, math.inf, 1.0, 500.0, 5, 5),
            "<Crossover: A is not ahead of B after 500 iterations; n = 5 + 5>",
        ),
    ],
)
def test_result_repr_has_numbers_and_units(result, words):
    assert repr(result) == words


def test_comparison_repr_has_medians():
    problem = prviz.kmeans([[0.0], [2.0], [10.0], [11.0]], 2)
    compared = prviz.compare(problem, {"partial": {"k1": 1}}, seeds=3, calls=4)
    assert repr(compared) == (
        "<Comparison: median best cost partial 2.5 after 4 calls; n = 3 each>"
    )
