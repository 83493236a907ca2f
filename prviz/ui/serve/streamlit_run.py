"""Serve the app like ``streamlit run``, from the installed package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from streamlit.web import cli

from prviz.shipped import shipped

APP = shipped("app.py")


def serve(options: Mapping[str, Any], *more: str) -> int:
    """Serve the app until it is stopped.

    Parameters
    ----------
    options : mapping
        Options of Streamlit, such as ``server.port``, which extend the project's configuration.
    more : str
        Command-line options of ``streamlit run``.

    Returns
    -------
    int
        The exit status.

    Raises
    ------
    KeyboardInterrupt
        Stopped by Ctrl-C.
    """
    given = (f"--{name}={str(value).lower()}" for name, value in options.items())
    try:
        cli.main(["run", str(APP), *given, *more], prog_name="streamlit", standalone_mode=False)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return 0
