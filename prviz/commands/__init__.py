"""The commands of ``python -m prviz``, one per module: ``add`` its arguments, and ``run`` it."""
