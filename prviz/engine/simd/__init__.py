"""Compute with eight or sixteen numbers at a time: vectors, functions, sums, random numbers."""
