"""Hidden Markov models with Gaussian emissions, for series of numbers."""

from .baum_welch import GaussianHMM

__all__ = ["GaussianHMM"]
