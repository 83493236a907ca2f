"""``prviz notebooks``: copy the short notebooks that come with prviz."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from ..shipped import shipped
from .writing import answer, output


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "notebooks",
        help="copy the notebooks that come with prviz",
        description="Copy the notebooks that come with prviz to a folder. Existing files are not "
        "overwritten.",
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path("prviz-notebooks"),
        help="created if it does not exist (prviz-notebooks)",
    )
    answer.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Copy the notebooks; return the exit status."""
    output.make_folder(given.folder)
    copied: list[str] = []
    kept: list[str] = []
    for notebook in sorted(shipped("notebooks").glob("*.ipynb")):
        target = given.folder / notebook.name
        (kept if target.exists() else copied).append(str(target))
        if not target.exists():
            with output.saving(target):
                shutil.copyfile(notebook, target)
    lines = [*copied, *(f"{path} exists already and was not overwritten." for path in kept)]
    answer.tell(given, {"copied": copied, "kept": kept}, "\n".join(lines))
    return answer.DONE
