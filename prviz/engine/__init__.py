"""The compiled engine: the search, the same for all problems, and the kernels of a problem."""
