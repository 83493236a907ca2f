"""Comparisons and tunings: figures, and summaries as text."""
