"""Tuning: settings tried by halving over seeds, ranked and checked."""
