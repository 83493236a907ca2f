"""The commands of ``python -m prviz``. Each module is a command with functions add and run."""
