"""Your own data: their input, and what is chosen of a table."""
