"""``prviz app``: the pages, opened in a browser."""

from __future__ import annotations

import argparse

from .writing import answer

NEEDED = "prviz app needs Streamlit and more: pip install 'prviz[app]'."


def add(commands: answer.Commands) -> None:
    """Its arguments."""
    parser = commands.add_parser(
        "app",
        help="start the app and open it in a browser",
        description="Start the app for this machine only, and open it in a browser. Ctrl-C stops "
        "it.",
    )
    parser.add_argument("--port", type=int, help="port (default: the first free one from 8501)")
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
        from ..ui.serve.streamlit_run import serve
    except ImportError:
        raise answer.Failure(NEEDED) from None
    options = {"server.headless": given.no_open}
    if given.port is not None:
        options["server.port"] = given.port
    return serve(options, *given.options)
