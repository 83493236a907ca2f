"""Figures of what a search chose."""
