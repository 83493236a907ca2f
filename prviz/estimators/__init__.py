"""Partial reinitialisation as scikit-learn estimators.

Each class can replace a known estimator: it has most of the same parameters and attributes (see
``docs/guide/estimators.md``), and adds those of the search. This module needs scikit-learn.
"""

from .gaussian_hmm import PartialGaussianHMM
from .gmm_hmm import PartialGMMHMM
from .hmm import PartialHMM
from .kmeans import PartialKMeans
from .kmedoids import PartialKMedoids
from .rbm import PartialRBM

__all__ = [
    "PartialGMMHMM",
    "PartialGaussianHMM",
    "PartialHMM",
    "PartialKMeans",
    "PartialKMedoids",
    "PartialRBM",
]
