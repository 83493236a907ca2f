"""A script of steps, as a program or a notebook."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..version import __version__

WIDTH = 98  # characters per line
LONGEST_NAME = 60  # limit of characters in a file name
_WORD = re.compile(r"[a-z0-9]+")


class Part(NamedTuple):
    """A step of a script: a description, and Python."""

    words: str
    code: str


class Script(NamedTuple):
    """A script to save.

    Attributes
    ----------
    title : str
        Title; the file name is made from it.
    parts : sequence of Part
    told : str
        Python expression of the result, which the program prints.
    drawn : str
        Python expression that draws the result: the last cell of the notebook, but a comment in the
        program, because there may be no screen.
    """

    title: str
    parts: Sequence[Part]
    told: str
    drawn: str

    @property
    def name(self) -> str:
        """Return the file name without suffix."""
        words, name = _WORD.findall(self.title.lower()), "prviz"
        for word in words:
            if len(name) + len(word) >= LONGEST_NAME:
                break
            name += f"-{word}"
        return name

    def python(self) -> str:
        """Return the script as a program."""
        steps = [f"{_comment(part.words)}{part.code}" for part in self.parts]
        end = f"print({self.told})\n# {self.drawn}.show()  # draws it in a browser"
        head = f"{self.title}. Written by prviz {__version__}."
        return "\n\n".join([_comment(head).rstrip(), *steps, end]) + "\n"

    def notebook(self) -> str:
        """Return a Jupyter notebook in JSON: one cell per step, below its description."""
        head = f"# {_oneline(self.title)}\n\nWritten by prviz {__version__}."
        cells = [("markdown", head)]
        for part in self.parts:
            cells += [("markdown", _oneline(part.words))] if part.words else []
            cells.append(("code", part.code))
        cells.append(("code", self.drawn))
        book = {
            "cells": [_cell(number, *cell) for number, cell in enumerate(cells, start=1)],
            "metadata": {
                "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python"},
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def literal(value: Any) -> str:
    """Return a text, number, list or mapping as Python source with double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value)


def call(function: str, *arguments: str) -> str:
    """Return a call in Python, with one argument per line if it is long."""
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= WIDTH - 10:  # leaves space for the assignment
        return line
    return "\n".join([f"{function}(", *(f"    {each}," for each in arguments), ")"])


def _cell(number: int, kind: str, source: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"step-{number}", "metadata": {}}
    run: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {**cell, **run, "source": source.splitlines(keepends=True)}


def _comment(words: str) -> str:
    lines = textwrap.wrap(_oneline(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "".join(f"# {line}\n" for line in lines)


def _oneline(words: str) -> str:
    """Return text without line breaks, which would end a comment."""
    return " ".join(words.split())
