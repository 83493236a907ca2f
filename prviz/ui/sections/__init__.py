"""Sections below or beside a player: calculator, probe of ε, affinity propagation."""
