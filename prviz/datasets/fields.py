"""What a field of a table says: a number, that there is none, or something that is none."""

import re
from collections.abc import Sequence

LONGEST_SHOWN = 40  # characters of a field in a sentence
MISSING = frozenset({"", "?", "na", "n/a", "nan", "none", "null"})  # in small letters
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.IGNORECASE)
THOUSANDS = re.compile(r"[+-]?\d{1,3}([., '’\u00a0\u202f]\d{3})+([.,]\d+)?")


def numbers(fields: Sequence[str]) -> list[float]:
    """All fields as numbers, or a ValueError."""
    if any("_" in field for field in fields):  # float() reads 1_000; nobody else does
        raise ValueError
    return [float(field) for field in fields]


def is_number(field: str) -> bool:
    try:
        numbers([field])
    except ValueError:
        return False
    return True


def is_missing(field: str) -> bool:
    """Whether a field says that a value is missing."""
    return field.strip().lower() in MISSING


def is_blank(fields: Sequence[str]) -> bool:
    """Whether there is nothing in any field."""
    return not any(field.strip() for field in fields)


def is_header(fields: Sequence[str]) -> bool:
    """Names, then: no number, no decimal comma, and something in it."""
    return not is_blank(fields) and not any(
        is_number(field) or DECIMAL_COMMA.fullmatch(field.strip()) for field in fields
    )


def shown(field: str, most: int = LONGEST_SHOWN) -> str:
    """A field as a sentence may have it: printable, and not long."""
    field = "".join(c if c.isprintable() else "\ufffd" for c in field[: most + 1].strip())
    return field if len(field) <= most else field[: most - 1] + "…"


def text_fault(fields: Sequence[str], number: int) -> str:
    """What is wrong with the first field of line ``number`` that is no number."""
    column = next(i for i, field in enumerate(fields) if not is_number(field))
    where, field = f"line {number}, column {column + 1}", fields[column].strip()
    if not field:
        return f"{where} is empty: fill it or drop that line."
    if DECIMAL_COMMA.fullmatch(field):
        return f'{where}: "{shown(field)}" looks like a decimal comma: write decimal points.'
    return f'{where}: "{shown(field)}" is not a number: mend it, or drop that column or line.'


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
