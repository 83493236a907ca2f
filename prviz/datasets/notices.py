"""The warning that readers give if they decide how to read data."""


class DataWarning(UserWarning):
    """A decision about data that you may want to check, such as skipped rows."""
