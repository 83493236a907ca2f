"""Rate limits for each viewer, so that the server stays responsive for others.

If requests are too frequent, they are delayed without using a thread. If too many arrive at once,
they are rejected with a message. The limits are far above the player's needs; docs/serving.md lists
them.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.responses import JSONResponse

from prviz.ui.serve import streamlit_patches

#: Per run: requests per second, burst after a pause, and concurrent requests.
RUN_RATE, RUN_BURST, RUN_AT_ONCE = 100.0, 200.0, 8
CLASS = 30  # factor of these limits for recorded runs, which all viewers share
#: Per tab: files per second, burst after a pause, and concurrent uploads.
UPLOAD_RATE, UPLOAD_BURST, UPLOADS_AT_ONCE = 10.0 / 60.0, 10.0, 2
MOST_HELD_A_TAB = 150_000_000  # bytes of uploaded files per tab
MOST_HELD = 500_000_000  # bytes of uploaded files in all tabs
MOST_ASKERS = 4096  # tracked clients; the least recently seen are forgotten

_RUN = re.compile(r"/player/(?:runs|many)/([^/]+)/")
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/")

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]


class Askers:
    """Token buckets, one per client, which refill over time."""

    def __init__(self, rate: float, burst: float, at_once: int):
        self._rate, self._burst, self._at_once = rate, burst, at_once
        # tokens, and the time of the last update
        self._permits: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._under_way: dict[str, int] = {}

    def busy(self, name: str) -> bool:
        """Return True if the limit of concurrent requests is reached."""
        return self._under_way.get(name, 0) >= self._at_once

    def take(self, name: str, now: float, patience: float = math.inf) -> float:
        """Return the wait for a token in seconds; take it if it is at most ``patience``."""
        permits, since = self._permits.pop(name, (self._burst, now))
        permits = min(self._burst, permits + (now - since) * self._rate)
        seconds = max(0.0, (1.0 - permits) / self._rate)
        self._permits[name] = (permits - (seconds <= patience), now)
        if len(self._permits) > MOST_ASKERS:
            self._permits.popitem(last=False)
        return seconds

    def begin(self, name: str) -> None:
        """Record that a request has started."""
        self._under_way[name] = self._under_way.get(name, 0) + 1

    def end(self, name: str) -> None:
        """Record that a request has been answered."""
        self._under_way[name] -= 1
        if not self._under_way[name]:
            del self._under_way[name]


class Limits:
    """Middleware in front of the app.

    Parameters
    ----------
    app : ASGI application
    held : callable, optional
        Return the bytes of uploaded files in a tab, and in all tabs.
    """

    def __init__(self, app: Application, held: Callable[[str], tuple[int, int]] | None = None):
        self._app = app
        self._held = held or streamlit_patches.uploaded
        self._runs = Askers(RUN_RATE, RUN_BURST, RUN_AT_ONCE)
        self._recorded = Askers(CLASS * RUN_RATE, CLASS * RUN_BURST, CLASS * RUN_AT_ONCE)
        self._tabs = Askers(UPLOAD_RATE, UPLOAD_BURST, UPLOADS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass the request on, after a delay if needed, or answer 429."""
        askers, name = self._bucket(scope)
        if askers is None:
            return await self._app(scope, receive, send)
        full = _full(*self._held(name)) if askers is self._tabs else ""
        if askers.busy(name):
            full = "Too many requests. Please wait a moment."
        if full:
            answer = JSONResponse({"message": full}, 429, headers={"Cache-Control": "no-store"})
            return await answer(scope, receive, send)
        askers.begin(name)
        try:
            await asyncio.sleep(askers.take(name, time.monotonic()))
            await self._app(scope, receive, send)
        finally:
            askers.end(name)

    def _bucket(self, scope: Scope) -> tuple[Askers | None, str]:
        """Return the limits and the client of a request; None and "" if it is not limited."""
        if scope["type"] == "http":
            if found := _RUN.search(scope["path"]):
                recorded = found[1].startswith("recorded-")
                return self._recorded if recorded else self._runs, found[1]
            if scope["method"] == "PUT" and (found := _UPLOAD.search(scope["path"])):
                return self._tabs, found[1]
        return None, ""


def _full(own: int, all_tabs: int) -> str:
    if own >= MOST_HELD_A_TAB:
        return "This tab has reached its upload limit. Remove a file, or reload the page."
    if all_tabs >= MOST_HELD:
        return "The server has reached its upload limit. Try again later."
    return ""
