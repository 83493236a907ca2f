"""Compute with eight numbers at a time: vectors, functions, sums, and random numbers."""
