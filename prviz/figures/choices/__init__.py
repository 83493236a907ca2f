"""Figures of the choices of a search with ``k1="auto"``."""
