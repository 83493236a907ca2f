"""Experiments: many runs of a search in numbers, and how sure one may be of them."""
