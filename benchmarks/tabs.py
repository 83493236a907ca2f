"""Simulate a tab without a browser: call Streamlit and the player's routes."""

from __future__ import annotations

import gzip
import http.client
import json
import time
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

PATIENCE = 120.0  # timeout of an answer, in seconds
POLL_SECONDS = 0.25  # seconds between requests for progress, as in the player
CURVE_SECONDS = 0.7
PACE = 30.0  # frames per second that a viewer plays
AHEAD = 2.0  # seconds of frames fetched ahead
MOST_CALLS, MOST_BYTES = 32, 512_000  # limits of a request for frames


class Tab:
    """A page in a tab.

    Parameters
    ----------
    address : str
        Address of the server, ``http://host:port``.
    page : str
    query : str
        Query of the link.

    Attributes
    ----------
    run : str
        Id of the run that the page shows.
    exceptions : list of str
        Exceptions that the page has shown.
    """

    def __init__(self, address: str, page: str, query: str = ""):
        self.exceptions: list[str] = []
        self.run = ""
        self._buttons: dict[str, str] = {}
        self._host = address.removeprefix("http://")
        self._query, self._page = query, page
        self._hash = ""
        self._http = http.client.HTTPConnection(self._host, timeout=PATIENCE)
        self._socket = connect(
            f"ws://{self._host}/_stcore/stream", subprotocols=["streamlit"], max_size=None
        )
        self._rerun()

    def press(self, label: str) -> None:
        """Press a button of the page, and wait until the page has been rendered."""
        self._rerun(self._buttons[label])

    def close(self) -> None:
        self._socket.close()
        self._http.close()

    def _rerun(self, pressed: str = "") -> None:
        told = BackMsg()
        told.rerun_script.query_string = self._query
        told.rerun_script.page_script_hash = self._hash
        if not self._hash:
            told.rerun_script.page_name = self._page
        if pressed:
            widget = told.rerun_script.widget_states.widgets.add()
            widget.id, widget.trigger_value = pressed, True
        else:
            told.rerun_script.widget_states.SetInParent()
        self._socket.send(told.SerializeToString())
        while not self._heard(ForwardMsg.FromString(self._socket.recv(PATIENCE))):
            pass

    def _heard(self, told: ForwardMsg) -> bool:
        """Handle a message; return True if the page has been rendered."""
        kind = told.WhichOneof("type")
        if kind == "navigation":
            self._hash = told.navigation.page_script_hash
        elif kind == "delta" and told.delta.WhichOneof("type") == "new_element":
            element = told.delta.new_element
            what = element.WhichOneof("type")
            if what == "button":
                self._buttons[element.button.label] = element.button.id
            elif what == "exception":
                self.exceptions.append(element.exception.message)
            elif what == "bidi_component":
                self.run = json.loads(element.bidi_component.json)[0]["run"]
        return kind == "script_finished"

    # ---- the player

    def ask(self, path: str, method: str = "GET") -> bytes:
        """Return an answer of the player's routes, compressed as for browsers."""
        address = f"/player/runs/{self.run}/{path}"
        self._http.request(method, address, headers={"Accept-Encoding": "gzip"})
        answer = self._http.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{answer.status} for {address}: {content[:200]!r}")
        return content

    def head(self, since: int = 0) -> dict[str, Any]:
        """Return the progress of the search."""
        return json.loads(_unpacked(self.ask(f"progress?since={since}")).partition(b"\n")[0])

    def ended(self) -> dict[str, Any]:
        """Wait until the search ends, and return its last progress."""
        while (head := self.head(10**9))["state"] in ("ready", "waiting", "running", "paused"):
            time.sleep(POLL_SECONDS)
        return head

    def opening(self) -> dict[str, Any]:
        """Fetch the data that the page needs before the first picture."""
        about = json.loads(_unpacked(self.ask("opening")).partition(b"\n")[0])
        for name in about["layout"]["assets"]:
            self.ask(f"assets/{name}")
        return about


class Viewer:
    """Watches a run like the player: its progress, its curve, and its frames.

    Attributes
    ----------
    frames : int
        Number of frames served so far.
    waited : bool
        Whether the search waited for a core.
    told : float or None
        Seconds until the server reported whether the search waits.
    """

    def __init__(self, tab: Tab):
        self.tab = tab
        self.frames = 0
        self.waited = False
        self.told: float | None = None
        layout = tab.opening()["layout"]
        self._bytes = layout["frame_bytes"]
        self._call, self._calls, self._per_call = 1, 0, 16.0
        self._polled = self._curved = 0.0
        self._drawn = 0  # calls in the curve
        self._state = "ready"
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self._began

    def look(self) -> None:
        """Make one round: send the requests that are due; pause if there are none."""
        now = time.monotonic()
        if self._state in ("ready", "waiting", "running"):
            if now - self._polled > POLL_SECONDS:
                self._polled = now
                self._poll()
            if now - self._curved > CURVE_SECONDS and self._calls > self._drawn:
                self._curved, self._drawn = now, self._calls
                self.tab.ask("curve")
        wanted = PACE * (now - self._began + AHEAD)
        if self._calls and self.frames < wanted:
            self._fetch()
        else:
            time.sleep(0.02)

    def _poll(self) -> None:
        head = self.tab.head(self._calls)
        self._state, self._calls = head["state"], head["calls"]
        self.waited |= head["state"] == "waiting"
        known = head["state"] != "ready" and (head["state"] != "waiting" or head["message"])
        if self.told is None and known:
            self.told = time.monotonic() - self._began

    def _fetch(self) -> None:
        most = max(1, min(MOST_CALLS, int(MOST_BYTES / (self._per_call * self._bytes))))
        if self._call > self._calls:
            self._call = 1  # start again, as the player does after Play
        count = min(most, self._calls - self._call + 1)
        got = self.tab.ask(f"frames?call={self._call}&count={count}")
        frames = _size(got) // self._bytes
        self.frames += frames
        self._call += count
        self._per_call = max(2.0, frames / count)


def _size(packed: bytes) -> int:
    """Return the uncompressed size: gzip writes it at the end."""
    return int.from_bytes(packed[-4:], "little")


def _unpacked(packed: bytes) -> bytes:
    return gzip.decompress(packed)
