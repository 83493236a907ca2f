"""hmmlearn's restarts have the same starts, iterations and results as those of prviz."""

import logging

import numpy as np
import pytest
from contending import HMM, caller

import prviz
from prviz.baselines import HMMLearn
from prviz.experiments.runs.contender import RunLimit


def test_hmmlearn_makes_the_iterations_of_full_restarts_of_the_same_seed():
    """Compare call by call: hmmlearn makes equal iterations, and its cost is slightly lower.

    The cost is hmmlearn's own score of its model, after one more M-step.
    """
    plain = prviz.hmm(HMM.sequence, 4, tolerance=HMM.tolerance, baum_welch="plain")
    ours = prviz.run(plain, k1=4, seed=7, calls=5).trace
    theirs = caller(HMM, HMMLearn(), 7)
    assert {type(HMM), type(plain)} < {*HMMLearn.problems}  # both versions of Baum–Welch
    for cost, iterations in zip(ours.cost, ours.iterations, strict=True):
        model, made = theirs.call()
        found = theirs.cost(model)
        assert made == iterations
        assert cost - HMM.tolerance <= found <= cost + 1e-12
        assert found == pytest.approx(-model.score(HMM.sequence[:, None]), rel=1e-12)
    assert len({*ours.iterations.tolist()}) > 3


def test_several_strings_are_trained_together():
    several = prviz.hmm(HMM.sequence, 3, lengths=[5, len(HMM.sequence) - 5])
    ours = prviz.run(several, k1=3, seed=7, calls=3).trace
    theirs = caller(several, HMMLearn(), 7)
    for cost, iterations in zip(ours.cost, ours.iterations, strict=True):
        model, made = theirs.call()
        assert made == iterations
        assert cost - several.tolerance <= theirs.cost(model) <= cost + 1e-12


@pytest.mark.parametrize("kind", ["diag", "full"])
def test_restarts_of_hmmlearn_on_a_series_are_nearly_equal_to_full_restarts(kind):
    series = np.random.default_rng(0).normal(size=(120, 2))
    series[40:80] += 3.0
    settings = {"emissions": "gaussian", "covariance_type": kind, "lengths": [70, 50]}
    problem = prviz.hmm(series, 2, tolerance=1e-3, **settings)
    ours = prviz.run(problem, k1=2, seed=7, calls=4).trace
    theirs = caller(problem, HMMLearn(), 7)
    for cost in ours.cost:
        model, _ = theirs.call()
        found = theirs.cost(model)
        assert found == pytest.approx(cost, abs=0.05)
        assert found == pytest.approx(-model.score(series, [70, 50]), rel=1e-9)


def test_hmmlearn_uses_the_tolerance_and_iteration_limit_of_the_problem():
    short = prviz.hmm(HMM.sequence, 4, max_iterations=3)
    loose = prviz.hmm(HMM.sequence, 4, tolerance=0.5)
    assert caller(short, HMMLearn()).call()[1] == 3
    assert caller(loose, HMMLearn()).call()[1] < caller(HMM, HMMLearn()).call()[1]


def test_known_warnings_are_suppressed(caplog):
    """Without the filter, hmmlearn warns in every restart that the string is short."""
    few = prviz.hmm(np.array([0, 1, 1, 0]), 4)
    HMMLearn().begin(few, 0).further(few, RunLimit("calls", 2))
    assert caplog.records == [] and logging.getLogger("hmmlearn").level == logging.NOTSET


def test_weighted_strings_are_rejected():
    heavy = prviz.hmm(HMM.sequence, 4, lengths=[5, len(HMM.sequence) - 5], weights=[1, 2])
    with pytest.raises(ValueError, match="HMMLearn has no weights: each weight must be 1"):
        HMMLearn().begin(heavy, 0)
