"""k-means: the problem, Lloyd fast and plain, and its sub-sets."""
