"""Experiments: many runs of a search, with statistics and confidence intervals."""
