"""The commands of ``python -m prviz``, one per module: ``add`` and ``run``."""
