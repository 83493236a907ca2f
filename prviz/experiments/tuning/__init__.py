"""Tuning: successive halving over seeds, ranking, and a check."""
