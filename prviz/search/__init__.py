"""Run one search or several in parallel, estimate ε, and run the paper's recursion."""
