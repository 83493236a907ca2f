"""The theatre in a notebook."""

from .theatre import Theatre, play

__all__ = ["Theatre", "play"]
