"""The warning about data that are read otherwise than given."""


class DataWarning(UserWarning):
    """A decision about data that you may want to check, such as a mirrored triangle."""
