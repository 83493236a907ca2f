"""``prviz.minimize``: a search that chooses its steps, with SciPy's interface."""
