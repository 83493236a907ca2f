"""Patches that use private parts of Streamlit and Python; the app also runs without them.

Each docstring gives the benefit, measured on two cores, and the behaviour without the patch.
``PRVIZ_PATCHES=off`` turns all patches off. ``tests/ui/test_patches.py`` checks each patch with the
installed release. Two other files rely on private parts without a patch. ``component.py`` sends the
player's data in a list, because Streamlit would search a dict for tables and import
pandas (0.4 s on the first page). ``assets/style.css`` finds parts of the page by their test ids,
which the test also checks.
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import os
import socket
import sys
from pathlib import Path
from typing import Any

import streamlit
from streamlit import runtime

SWITCH_SECONDS = 0.0005


def wanted() -> bool:
    return os.environ.get("PRVIZ_PATCHES") != "off"


def send_at_once() -> None:
    """Let the server send small answers without delay (TCP_NODELAY).

    Streamlit opens its socket without naming a protocol, so asyncio leaves Nagle's algorithm on.
    Without this patch, every small answer waits about 40 ms for the browser's acknowledgement.
    Connections inherit the option from the socket that accepts them.
    """
    if not wanted():
        return
    for found in gc.get_objects():
        if type(found) is socket.socket and found.fileno() >= 0 and _accepts_tcp(found):
            with contextlib.suppress(OSError):
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _accepts_tcp(found: socket.socket) -> bool:
    return found.family in (socket.AF_INET, socket.AF_INET6) and found.type == socket.SOCK_STREAM


def switch_often() -> None:
    """Make scripts yield to the event loop ten times as often as by default.

    A script run yields with each element that it sends. While another thread computes in Python,
    sending an element takes 1.7 ms instead of 6.2 ms.
    """
    if wanted():
        sys.setswitchinterval(SWITCH_SECONDS)


def look_through_the_stack() -> None:
    """Fill the module cache of ``inspect`` at startup, before Streamlit's first element.

    Streamlit looks up its caller, and ``inspect`` then searches all modules. This takes 43 ms the
    first time, and 0.1 ms the second time.
    """
    if wanted():
        inspect.stack()


def keep_for_good() -> None:
    """Exclude Numba's 190 000 permanent objects from garbage collection.

    Without this patch, each full collection stops the server for 76 ms.
    """
    if wanted():
        gc.collect()
        gc.freeze()


def uploaded(tab: str) -> tuple[int, int]:
    """Return the bytes of uploaded files in a tab, and in all tabs.

    Streamlit offers no such count. Without this patch, only the rate of uploads and the size of a
    file are limited: a tab can add 500 MB a minute (10 files of 50 MB).
    """
    if not wanted():
        return 0, 0
    manager: Any = runtime.get_instance().uploaded_file_mgr  # keeps files in memory
    storage = manager.file_storage
    held = {
        name: sum(len(file.data) for file in list(files.values()))
        for name, files in list(storage.items())
    }
    return held.get(tab, 0), sum(held.values())


def page(base_path: str, early: str) -> str:
    """Return Streamlit's page, with the app's path and a preload of prviz's script added.

    Without this patch, the browser first requests paths that do not exist. Opening a link takes a
    second longer, and the console shows two errors.

    Parameters
    ----------
    base_path : str
        Path of the app, with a slash at both ends.
    early : str
        Address of a module to load in parallel with Streamlit's modules.
    """
    html = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
    if not wanted():
        return html
    where = (
        f"<script>window.__streamlit={{BACKEND_BASE_URL:location.origin+'{base_path}'}}</script>"
    )
    preload = f'<link rel="modulepreload" href="{early}">'
    return html.replace("<head>", f"<head>{where}{preload}", 1)
