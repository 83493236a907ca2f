"""Make problems from your own functions: plain Python, compiled, or optimised by SciPy."""
