"""Hidden Markov models: the problem, Baum–Welch fast and plain, and its sub-sets."""
