"""k-medoids: the problem, two optimisers fast and plain, and its sub-sets."""
