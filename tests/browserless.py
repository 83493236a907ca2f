"""Simulate a tab without a browser: send the messages of Streamlit's page and of the player."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.request
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

PATIENCE = 120.0  # seconds for a script run


class Tab:
    """Opens a page and waits until its player has a run.

    Parameters
    ----------
    address : str
        Address of the server.
    page : str
        Path of the page below the address.
    query : str
        Query of the link.
    """

    def __init__(self, address: str, page: str, query: str = ""):
        self.address = address
        self.run = ""
        self._stack = contextlib.ExitStack()
        place = urlsplit(address)
        socket = f"ws://{place.netloc}{place.path}/_stcore/stream"
        self._socket = self._stack.enter_context(
            connect(socket, subprotocols=["streamlit"], max_size=None)
        )
        asked = BackMsg()
        asked.rerun_script.query_string = query
        asked.rerun_script.page_name = page
        self._socket.send(asked.SerializeToString())
        deadline = time.monotonic() + PATIENCE
        while not self._told(deadline):
            pass

    def _told(self, deadline: float) -> bool:
        """Process a message; return True if it was the last of a script run."""
        message = ForwardMsg()
        message.ParseFromString(self._socket.recv(timeout=max(0.0, deadline - time.monotonic())))
        element = message.delta.new_element
        if element.WhichOneof("type") == "bidi_component" and element.bidi_component.json:
            with contextlib.suppress(KeyError, IndexError, TypeError):
                given = json.loads(element.bidi_component.json)[0]
                self.run = given.get("live") or given["run"]
        return message.WhichOneof("type") == "script_finished"

    def ask(self, path: str, method: str = "GET") -> bytes:
        """Return the server's answer to a request of the player."""
        asked = urllib.request.Request(
            f"{self.address}/player/runs/{self.run}/{path}", method=method
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.read()

    def head(self) -> dict:
        """Return the progress of the run."""
        return json.loads(self.ask("progress?since=0").split(b"\n", 1)[0])

    def start(self) -> None:
        self.ask("start", "POST")

    def stop(self) -> None:
        self.ask("stop", "POST")

    def close(self) -> None:
        """Close the tab, as a user does."""
        self._stack.close()

    def lose(self) -> None:
        """End the connection without a closing message, as when the browser is killed."""
        self._socket.socket.close()
        self._stack.close()

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *_) -> None:
        self.close()
