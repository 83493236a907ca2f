"""The compiled engine, independent of the problem: the search, and its interface to problems."""
