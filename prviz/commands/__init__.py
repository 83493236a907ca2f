"""What ``python -m prviz`` can do, a module a command: ``add`` its arguments, and ``run`` it."""
