"""The user's cache, and files and folders that no other user can change.

Pickles are loaded only from such files.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_path

FOLDER, FILE = stat.S_ISDIR, stat.S_ISREG


def cache_folder() -> Path:
    """Return ``PRVIZ_CACHE_DIR``, or ``prviz`` in the user's cache."""
    chosen = os.environ.get("PRVIZ_CACHE_DIR")
    return Path(chosen) if chosen else user_cache_path("prviz", appauthor=False)


def make_folder(path: Path) -> None:
    """Make a folder for this user alone, or accept one that no other user can change.

    Parameters
    ----------
    path : Path
        Missing parents are made too.

    Raises
    ------
    OSError
        The folder cannot be made, is a symbolic link, or another user owns it or can write to it.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_folder(path)


def check_folder(path: Path) -> None:
    """Raise an OSError if a folder is a link, or another user can change it."""
    _check(path, path.lstat(), FOLDER)


def check_file(path: Path) -> None:
    """Raise an OSError if another user can change or replace a file."""
    check_folder(path.parent)
    _check(path, path.lstat(), FILE)


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, or raise an OSError if another user can change the file."""
    check_folder(path.parent)
    with open(path, "rb") as file:
        _check(path, os.fstat(file.fileno()), FILE)
        return file.read()


def _check(path: Path, status: os.stat_result, kind: Callable[[int], bool]) -> None:
    if reason := _objection(status, kind):
        raise PermissionError(errno.EPERM, reason, str(path))


def _objection(status: os.stat_result, kind: Callable[[int], bool]) -> str:
    """Return a reason why another user could have changed the path; empty if there is none."""
    if not hasattr(os, "getuid"):
        return ""  # on Windows, these folders belong to the user
    if stat.S_ISLNK(status.st_mode):
        return "it is a symbolic link"
    if not kind(status.st_mode):
        return "it is not a folder" if kind is FOLDER else "it is not a file"
    if status.st_uid not in (0, os.getuid()):
        return f"it belongs to another user (uid {status.st_uid})"
    shared = status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid)
    return "other users can write to it" if shared or status.st_mode & stat.S_IWOTH else ""


def _is_own_group(number: int) -> bool:
    """Return True if a group has only this user, as is usual on Ubuntu and Fedora."""
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return group.gr_name == user and {*group.gr_mem} <= {user}
