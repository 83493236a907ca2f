"""The user's own data: their input, and the choice of columns."""
