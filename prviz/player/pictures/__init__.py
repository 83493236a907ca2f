"""Frames of any calls of a search, and the snapshots from which they are made."""
