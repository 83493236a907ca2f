"""Hidden states: which to redraw, and their transition probabilities."""
