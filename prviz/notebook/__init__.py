"""The player in a notebook."""

from .theatre import Theatre, play, play_run

__all__ = ["Theatre", "play", "play_run"]
