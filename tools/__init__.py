"""Tools that make the files in ``assets`` after a change of a problem or scene."""
