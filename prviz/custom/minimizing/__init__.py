"""``prviz.minimize``: SciPy's interface to a search that chooses its steps."""
