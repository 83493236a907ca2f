"""Long polls: requests that wait until there is new content."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any
from weakref import WeakSet

from prviz.classroom.question import Refused

SECONDS = 20.0  # longest wait, because a proxy may end longer requests

STOPPING = "The server is stopping."

_all: WeakSet[Changes] = WeakSet()
_stopping = threading.Event()  # the server waits for open requests, so it takes no new ones


class Changes:
    """The waiting requests, at most one per name."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, asyncio.Event] = {}
        _all.add(self)

    def __len__(self) -> int:
        return len(self._waiting)

    async def wait(self, name: Hashable, is_new: Callable[[], bool]) -> bool:
        """Wait for a change; return False if a later request of the same name replaced this one.

        Raise :class:`Refused` while the server stops.
        """
        _end_with_server()
        if _stopping.is_set():
            raise Refused(503, STOPPING)
        if is_new():
            return True
        if earlier := self._waiting.get(name):
            earlier.set()
        event = self._waiting[name] = asyncio.Event()
        try:
            await asyncio.wait_for(event.wait(), SECONDS)
        except TimeoutError:
            pass
        finally:
            latest = self._waiting.get(name) is event
            if latest:
                del self._waiting[name]
        return latest

    def tell(self) -> None:
        """Answer all requests that wait."""
        for event in self._waiting.values():
            event.set()


@cache
def _end_with_server() -> None:
    """Answer all requests on Ctrl-C, and refuse new ones: the server waits for them to stop."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()

    def tell() -> None:
        for changes in _all:
            changes.tell()

    for number in (signal.SIGINT, signal.SIGTERM):
        former = signal.getsignal(number)

        def handle(signum: int, frame: Any, former: Any = former) -> None:
            _stopping.set()
            loop.call_soon_threadsafe(tell)
            if callable(former):
                former(signum, frame)

        if callable(former):
            signal.signal(number, handle)
