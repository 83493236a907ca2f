"""Where the files of the app are that are no modules: pages, assets, notebooks."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_IN_A_WHEEL = _PACKAGE / "app"  # where setup.py puts what in a checkout lies beside the package


def shipped(*parts: str) -> Path:
    """Return a file or folder of the app, in a checkout or where a wheel was installed.

    Parameters
    ----------
    parts : str
        Of its path from the top of a checkout: ``shipped("assets", "style.css")``.
    """
    return (_IN_A_WHEEL if _IN_A_WHEEL.is_dir() else _PACKAGE.parent).joinpath(*parts)
