"""``prviz site``: write the course as a static web site."""

from __future__ import annotations

import argparse
from pathlib import Path

from .writing import answer, output


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "site",
        help="write the course as a static web site",
        description="Write Home, the six problems, Learn and the paper's figures as web pages. The "
        "pages search in the browser, without a server: put the folder on GitHub Pages or a USB "
        "stick, or start `python -m http.server` in it. PRVIZ_LESSONS=FOLDER replaces the lessons.",
    )
    parser.add_argument("folder", type=Path, metavar="PATH", help="the folder to write")
    answer.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Write the site; return the exit status."""
    from ..site import write_site  # needs the app's packages

    output.make_folder(given.folder)
    with output.saving(given.folder):
        write_site(given.folder)
    files = [path for path in given.folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    words = f"Wrote {len(files)} files ({size / 1e6:.1f} MB). Open {given.folder / 'index.html'}."
    found = {"folder": str(given.folder), "files": len(files), "bytes": size}
    answer.tell(given, found, words)
    return answer.status(False)
