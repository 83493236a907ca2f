"""Restricted Boltzmann machines: the problem, its optimisers fast and plain, and its sub-sets."""
