"""The warning about decisions of the readers."""


class DataWarning(UserWarning):
    """A decision about data that you may want to check, such as skipped rows."""
