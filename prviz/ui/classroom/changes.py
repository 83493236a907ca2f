"""Long polls: requests that wait until there is something new to show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable

SECONDS = 20.0  # a proxy may end a longer wait


class Changes:
    """Requests that wait, at most one per name."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, asyncio.Event] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    async def wait(self, name: Hashable, is_new: Callable[[], bool]) -> None:
        """Wait for a change; an earlier request of the same name is answered at once."""
        if is_new():
            return
        if earlier := self._waiting.get(name):
            earlier.set()
        event = self._waiting[name] = asyncio.Event()
        try:
            await asyncio.wait_for(event.wait(), SECONDS)
        except TimeoutError:
            pass
        finally:
            if self._waiting.get(name) is event:
                del self._waiting[name]

    def tell(self) -> None:
        """Answer all requests that wait."""
        for event in self._waiting.values():
            event.set()
