"""The compiled engine: one search for all problems, and the kernels of each problem."""
