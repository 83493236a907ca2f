"""Types of data sets, with their checks."""
