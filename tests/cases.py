"""Run a table of cases as one test, for many small cases that show one behaviour."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any


def cases(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable], Callable]:
    """Run a test on every row, as ``pytest.mark.parametrize`` does, but as one test.

    The rows share the fixtures. An error has a note with its row.
    """
    fields = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]

    def decorate(test: Callable) -> Callable:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def on_every_row(**fixtures: Any) -> None:
            for row in rows:
                values = row if len(fields) > 1 else (row,)
                try:
                    test(**dict(zip(fields, values, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"Row: {row!r}")
                    raise

        others = [each for name, each in signature.parameters.items() if name not in fields]
        on_every_row.__signature__ = signature.replace(parameters=others)
        return on_every_row

    return decorate
