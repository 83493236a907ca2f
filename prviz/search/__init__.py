"""Searches: one or several side by side, the probe of ε, and the paper's recursion."""
