"""Words for columns and fields in error messages and notices."""

from collections.abc import Sequence

LONGEST_SHOWN = 40  # characters of a field
MOST_NAMED = 5  # names in a sentence


def shown(field: str, most: int = LONGEST_SHOWN) -> str:
    """Return a printable, short form of a field."""
    field = "".join(c if c.isprintable() else "\ufffd" for c in field[: most + 1].strip())
    return field if len(field) <= most else field[: most - 1] + "…"


def count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 row", "2 rows"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def named(names: Sequence[str]) -> str:
    """Return quoted names; of many only the first five."""
    some = ", ".join(f'"{name}"' for name in names[:MOST_NAMED])
    return some + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")


def apart(names: Sequence[str]) -> list[str]:
    """Make repeated names unique by a number: x, x (2)."""
    taken: dict[str, None] = {}
    for name in names:
        number, tried = 1, name
        while tried in taken:
            number += 1
            tried = f"{name} ({number})"
        taken[tried] = None
    return [*taken]


def number_of(column: int) -> str:
    """Return the name of an unnamed column, counted from 1."""
    return f"column {column + 1}"


def where(line: int, column: str) -> str:
    """Return the position of a field: line 3, column "x"."""
    numbered = column.startswith("column ") and column[7:].isdigit()
    return f"line {line}, " + (column if numbered else f'column "{column}"')
