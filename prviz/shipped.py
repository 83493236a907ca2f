"""Locate files of the app that are not modules: pages, assets, notebooks."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_IN_A_WHEEL = _PACKAGE / "app"  # setup.py copies the app's files to this folder


def shipped(*parts: str) -> Path:
    """Return a file or folder of the app, in a checkout or an installed wheel.

    Parameters
    ----------
    parts : str
        Path relative to a checkout: ``shipped("assets", "style.css")``.
    """
    return (_IN_A_WHEEL if _IN_A_WHEEL.is_dir() else _PACKAGE.parent).joinpath(*parts)
