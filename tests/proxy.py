"""Run a small reverse proxy in front of the app, with a network that can fail."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from threading import Event, Thread

PIECE = 65536


class Proxy:
    """Forward requests below one path to a local port; answer all others with 404.

    Parameters
    ----------
    port : int
        Port of the app.
    path : str
        Path of the app, such as "/lab/prviz"; it is forwarded unchanged.

    Attributes
    ----------
    address : str
        Address without a trailing slash.
    passed : list of str
        First lines of the forwarded requests.
    """

    def __init__(self, port: int, path: str = ""):
        self._port, self._path = port, path
        self.passed: list[str] = []
        self._open: set[asyncio.StreamWriter] = set()
        self._all: list[asyncio.StreamWriter] = []
        self._refuses = False
        self._loop = asyncio.new_event_loop()
        listening = Event()
        self._thread = Thread(target=self._run, args=(self._main(listening),), daemon=True)
        self._thread.start()
        assert listening.wait(10)
        self.address = f"http://localhost:{self._own_port}{path}"

    def stall(self) -> None:
        """Stall all traffic, as if a cable was pulled."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def cut(self) -> None:
        """End every connection, and refuse new ones."""

        def end() -> None:
            self._refuses = True
            for writer in list(self._open):
                writer.transport.abort()

        self._loop.call_soon_threadsafe(end)

    def restore(self) -> None:
        """Restore the network."""

        def back() -> None:
            self._refuses = False
            self._flows.set()

        self._loop.call_soon_threadsafe(back)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def _run(self, main: Coroutine) -> None:
        try:
            self._loop.run_until_complete(main)
        finally:
            self._loop.close()

    async def _main(self, listening: Event) -> None:
        self._flows, self._over = asyncio.Event(), asyncio.Event()
        self._flows.set()
        async with await asyncio.start_server(self._serve, "127.0.0.1", 0) as server:
            self._own_port = server.sockets[0].getsockname()[1]
            listening.set()
            await self._over.wait()
            server.close()
            self._refuses = True
            self._flows.set()
            for writer in list(self._open):
                writer.transport.abort()
            if tasks := asyncio.all_tasks() - {asyncio.current_task()}:
                await asyncio.wait(tasks, timeout=5)
            for writer in self._all:  # also closed ones, which still send their last bytes
                writer.transport.abort()
            await asyncio.sleep(0.05)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one request per connection: an HTTP answer or a WebSocket."""
        self._open.add(writer)
        self._all.append(writer)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                if not self._refuses:
                    await self._flows.wait()
                    await self._pass_on(reader, writer)
        finally:
            self._open.discard(writer)
            writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request, *fields = head.rstrip("\r\n").split("\r\n")
        target = request.split(" ")[1]
        if not (target.split("?")[0] + "/").startswith(f"{self._path}/"):
            writer.write(
                b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            await writer.drain()
            return
        self.passed.append(request)
        upgrade = any(field.lower().startswith("upgrade:") for field in fields)
        if not upgrade:
            fields = [field for field in fields if not field.lower().startswith("connection:")]
            fields.append("Connection: close")
        fields += ["X-Forwarded-Proto: http", "X-Forwarded-For: 198.51.100.7"]
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        self._open.add(back)
        self._all.append(back)
        try:
            back.write("\r\n".join([request, *fields, "", ""]).encode("latin-1"))
            both = (self._copy(reader, back), self._copy(there, writer))
            tasks = [asyncio.ensure_future(each) for each in both]
            # One task ends when the app has answered or the browser has left: cancel both then.
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._open.discard(back)
            back.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(PIECE):
                await self._flows.wait()
                writer.write(piece)
                await writer.drain()
