"""The store of runs in the user's cache."""

from __future__ import annotations

import logging
from pathlib import Path

from ...system import private
from .store import Store

NAME = "tuning.sqlite"


def default_store() -> Path | None:
    """Return the store in the user's cache, or warn and return None if it can't be used.

    The folder is ``PRVIZ_CACHE_DIR``, or ``prviz`` in the user's cache. It must belong to the user,
    and other users must not be able to write to it.
    """
    path = private.cache_folder() / NAME
    try:
        private.make_folder(path.parent)
        if path.exists():
            private.check_file(path)
        Store(path).close()
    except OSError as error:
        _warn(f"{error.filename or path}: {error.strerror}.")
    except ValueError as error:
        _warn(str(error))
    else:
        return path
    return None


def _warn(reason: str) -> None:
    logging.getLogger(__name__).warning("Runs are not stored. %s", reason)
