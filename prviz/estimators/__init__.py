"""Partial reinitialisation as scikit-learn has it: estimators to fit, to clone, to put in a grid.

Each stands in for one that is known: its parameters and attributes, and beside them those of the
search. Needs scikit-learn.
"""

from .hmm import PartialHMM
from .kmeans import PartialKMeans
from .kmedoids import PartialKMedoids
from .rbm import PartialRBM

__all__ = ["PartialHMM", "PartialKMeans", "PartialKMedoids", "PartialRBM"]
