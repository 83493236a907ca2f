"""Startup of the server: load what the first page needs, then compile all kernels."""

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
    """Load the engine while the first page loads; stop its threads with the server."""
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
    """Do the first page's work in advance, while its browser loads Streamlit.

    Then load the kernels of other pages, once they are compiled.
    """
    from prviz import warm
    from prviz.ui.benchmarks import hierarchy  # noqa: F401 - it imports all other benchmarks
    from prviz.ui.views import home, page  # noqa: F401

    streamlit_patches.look_through_the_stack()
    static_version()

    time.sleep(
        FIRST_PAGE_SECONDS
    )  # the first page loads its own kernels and needs the interpreter for that
    warm.ready(None)
    warm.compile_all()
    streamlit_patches.keep_for_good()
