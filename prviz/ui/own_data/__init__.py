"""Data of somebody's own: the door by which they come in, and what is chosen of a table."""
