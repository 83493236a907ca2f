"""Run exported scripts and notebooks in this process, in a given folder."""

from __future__ import annotations

import contextlib
from pathlib import Path


def run_notebook(script, folder):
    """Run the notebook's cells in this process; return the output of the last cell."""
    import nbformat  # imported late: it takes seconds

    book = nbformat.reads(script.notebook(), 4)
    nbformat.validate(book)
    *cells, last = [cell.source for cell in book.cells if cell.cell_type == "code"]
    names = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        for cell in cells:
            exec(cell, names)
        return eval(last, names)


def run_here(script, files, folder):
    """Run a script in this process, in a folder with only these files."""
    for name, content in files.items():
        Path(folder, name).write_bytes(content)
    with contextlib.chdir(folder):
        exec(script.python(), {"__name__": "__main__"})


def altered(script):
    """Return the same script with another hash in each of its checks."""
    parts = [part._replace(code=_other(part.code)) for part in script.parts]
    return script._replace(parts=parts)


def _other(code):
    head, found, tail = code.partition('() == "')
    return f"{head}{found}{'1' if tail[:1] == '0' else '0'}{tail[1:]}" if found else code
