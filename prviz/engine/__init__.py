"""All that is compiled, whatever the problem: the search, and what it asks of a problem."""
