"""Startup of the server: load the modules of the first page, then compile all kernels."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread
from typing import Any

from prviz.ui.serve import streamlit_patches
from prviz.ui.serve.server import static_version

FIRST_PAGE_SECONDS = 15.0


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Load the engine while the first page loads; close all runs when the server stops."""
    streamlit_patches.send_at_once()
    streamlit_patches.switch_often()
    from prviz.player import live
    from prviz.player.resources import memory, store

    try:
        memory.bound()
    except ValueError as error:
        print(f"{error} The default is used.", file=sys.stderr)
        os.environ.pop(memory.VARIABLE)
    memory.few_arenas()
    live.warm()
    Thread(target=_prepare, name="prviz-prepare", daemon=True).start()
    yield
    for run in store.held():
        run.close()


def _prepare() -> None:
    """Import the modules of the first page while the browser loads Streamlit.

    Then compile and load the kernels of all pages.
    """
    from prviz import warm
    from prviz.ui.benchmarks import hierarchy  # noqa: F401 - it imports all other benchmarks
    from prviz.ui.views import home, page  # noqa: F401

    streamlit_patches.look_through_the_stack()
    static_version()

    # leave the interpreter to the first page, which loads its kernels
    time.sleep(FIRST_PAGE_SECONDS)
    warm.ready(None)
    warm.compile_all()
    streamlit_patches.keep_for_good()
