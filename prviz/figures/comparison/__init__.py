"""Comparisons and tunings: figures, and what they show in words."""
