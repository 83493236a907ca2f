"""Comparisons and tunings: figures, and summaries in words."""
