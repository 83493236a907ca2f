"""Frames of a search, made for any calls, and the snapshots for going back."""
