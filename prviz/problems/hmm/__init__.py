"""Hidden Markov models: the problem, Baum–Welch fast and plain, and its sub-sets."""

from typing import Any

import numpy as np

from ..entry import Entry
from .baum_welch import HMM
from .prediction import predictions
from .problem import hmm


def tiny() -> Any:
    problem = hmm("0110100110010110", 3)
    predictions(problem.sequence, np.eye(3), np.full((3, 2), 0.5), np.full(3, 1 / 3))
    return problem


def cases() -> dict[str, Any]:
    bits = "01101001100101101110"
    return {
        "sparse": hmm(bits, 6, baum_welch="sparse"),
        "plain": hmm(bits, 6, baum_welch="plain"),
        "several strings": hmm(bits, 3, lengths=[9, 1, 10]),
    }


ENTRY = Entry("hmm", "hidden Markov models", HMM, hmm, tiny, 16.0, cases)
