"""``prviz.minimize``: SciPy's interface, and a search that chooses its own steps."""
