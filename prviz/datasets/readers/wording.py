"""Descriptions of columns and fields for error messages and notices."""

from collections import Counter
from collections.abc import Sequence

LONGEST_SHOWN, LONGEST_NAME = 40, 60  # most characters shown of a field, and of a column's name
MOST_NAMED = 5  # names listed in a message


def shown(field: str, most: int = LONGEST_SHOWN) -> str:
    """Return a printable, short form of a field."""
    field = "".join(c if c.isprintable() else "\ufffd" for c in field[: most + 1].strip())
    return field if len(field) <= most else field[: most - 1] + "…"


def count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 row", "2 rows"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def named(names: Sequence[str]) -> str:
    """Return quoted names, at most five of them."""
    some = ", ".join(f'"{name}"' for name in names[:MOST_NAMED])
    return some + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")


def column_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return short, unique names: "x", "x (2)", and "column 3" for an empty one."""
    made: dict[str, None] = {}
    repeated: Counter[str] = Counter()
    for j, name in enumerate(names):
        name = unique = shown(name, LONGEST_NAME) or f"column {j + 1}"
        while unique in made:
            repeated[name] += 1
            unique = f"{name} ({repeated[name] + 1})"
        made[unique] = None
    return tuple(made)


def where(line: int, column: str) -> str:
    """Return the position of a field: line 3, column "x"."""
    numbered = column.startswith("column ") and column[7:].isdigit()
    return f"line {line}, " + (column if numbered else f'column "{column}"')
