"""The commands of ``python -m prviz``. Each command's module has ``add`` and ``run``."""
