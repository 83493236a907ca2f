"""Partial reinitialisation as scikit-learn estimators.

Each class can replace a known estimator: it has the same parameters and attributes, and adds
parameters and attributes of the search. This module needs scikit-learn.
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
