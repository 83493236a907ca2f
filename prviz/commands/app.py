"""``prviz app``: the pages, opened in a browser."""

from __future__ import annotations

import argparse

from .writing import answer

NEEDED = "prviz app needs Streamlit and other packages: pip install 'prviz[app]'."


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "app",
        help="start the app and open it in a browser",
        description=(
            "Start the app, and open it in a browser. Only this machine can open it, unless you "
            "add --share. Ctrl-C stops it."
        ),
    )
    parser.add_argument("--port", type=int, help="port (default: the first free one from 8501)")
    parser.add_argument(
        "--share",
        action="store_true",
        help=(
            "let everyone on this network open the app; show the addresses for phones and for the "
            "lecturer"
        ),
    )
    parser.add_argument("--address", help="address of this machine for --share, if it has several")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    parser.add_argument(
        "options",
        nargs="*",
        metavar="-- OPTION",
        help="options for streamlit run, such as -- --server.address=0.0.0.0",
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Serve until stopped; return the exit status."""
    try:
        from ..ui.serve.share import share
        from ..ui.serve.streamlit_run import serve
    except ImportError:
        raise answer.Failure(NEEDED) from None
    if given.share:
        no_open = ("--server.headless=true",) if given.no_open else ()
        return share(given.address, given.port, *no_open, *given.options)
    options = {"server.headless": given.no_open}
    if given.port is not None:
        options["server.port"] = given.port
    return serve(options, *given.options)
