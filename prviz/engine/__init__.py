"""The compiled engine: the search, which is the same for all problems, and their interface."""
