"""Run saved scripts as a user would: in a new process and folder."""

from __future__ import annotations

import contextlib
from pathlib import Path


def run_notebook(script, folder):
    """Run a script as a notebook, after validating it; return it with its outputs."""
    import nbformat  # imported late: it takes seconds
    from nbclient import NotebookClient

    book = nbformat.reads(script.notebook(), 4)
    nbformat.validate(book)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(book, timeout=200, kernel_name="python3", resources=resources).execute()
    return book


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
