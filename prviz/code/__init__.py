"""A page's result as Python code that repeats and checks it."""
