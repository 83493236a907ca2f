"""Searches: one or several in parallel, the probe of ε, and the paper's recursion."""
