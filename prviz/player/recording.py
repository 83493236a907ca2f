"""Recorded runs, which the player shows until there is a live run."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .live import LiveRun
from .pictures.frames import LAST, all_assets, frame_dtype
from .resources.store import RUNS

RECORDING_SECONDS = 60.0  # timeout for recomputing frames


class RecordedRun:
    """A run from a file, with the interface of :class:`LiveRun` for the player.

    Parameters
    ----------
    path : Path
        A file written by :func:`save_recording`.
    id : str
        The id in ``RUNS``. All viewers share this run.
    says : str
        A sentence for the viewer: that this is a recording, and why.
    instead : str
        An instruction for users who need more than the recording, such as "press Run".

    Attributes
    ----------
    held : list of int or None
        Calls with frames; None if all calls have frames.
    """

    state = "finished"
    followed = False

    def __init__(self, path: Path, id: str, says: str, instead: str = "wait for the live run"):
        with np.load(path, allow_pickle=False) as file:
            head = json.loads(str(file["head"]))
            self._layout = {**head["layout"], "recorded": says, "tables": {}}
            self._progress = head["progress"]
            self._curve = head["curve"]
            self._frames = file["frames"].tobytes()
            self._outcomes = file["outcomes"].tobytes()
            self._full = head.get("full"), file["full"].tobytes() if "full" in file else b""
            names = all_assets(self._layout)
            self._assets = {name: file[f"asset_{name}"].tobytes() for name in names}
        frames = np.frombuffer(self._frames, frame_dtype(self._layout))
        starts = np.flatnonzero(frames["sub"] == 0)
        ends = np.flatnonzero(frames["flags"] & LAST) + 1
        ends = ends[np.searchsorted(ends, starts, side="right")]
        self._calls = frames["call"][starts].tolist()
        self._spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
        self.held = self._calls if len(self._calls) < self._progress["calls"] else None
        self.id = id
        self._instead = instead
        self.watched = 0.0
        self._copied = False
        RUNS[id] = self

    def under(self, id: str, says: str) -> RecordedRun:
        """Return the same recording under another id, without reading its file again."""
        other = copy.copy(self)
        other.id, other._copied = id, True
        other._layout = {**self._layout, "recorded": says}
        RUNS[id] = other
        return other

    def layout(self) -> dict[str, Any]:
        return self._layout

    def asset(self, name: str) -> bytes:
        return self._assets[name]

    def frames(self, call: int, count: int) -> bytes:
        """Return the closing frame of the previous call, then stored frames of ``count`` calls."""
        size, reached, parts = self._layout["frame_bytes"], 0, []
        for each, (start, end) in zip(self._calls, self._spans, strict=True):
            if call <= each < call + count:
                led = int(start != reached)
                parts.append(self._frames[(start - led) * size : end * size])
                reached = end
        return b"".join(parts)

    def opening(self) -> bytes:
        return self.frames(self._calls[0], 1)

    def keyframes(self, since: int) -> tuple[int, bytes]:
        size = self._layout["frame_bytes"]
        ends = [end for _, end in self._spans[since:]]
        return 0, b"".join(self._frames[(end - 1) * size : end * size] for end in ends)

    def progress(self, since: int) -> tuple[dict[str, Any], bytes]:
        return self._progress, self._outcomes[since:]

    def curve(self) -> dict[str, Any]:
        return self._curve

    def full(self) -> tuple[dict[str, Any], bytes]:
        """Return the work of full restarts, and a frame of each new best."""
        head, frames = self._full
        if head is None:
            raise ValueError(f"This is a recording, without full restarts: {self._instead}.")
        return head, frames

    def successor(self, seconds: float) -> None:
        """Return None, because nothing replaces a recording."""

    def start(self) -> None:
        """Do nothing."""

    stop = close = drop_snapshots = drop_frames = start

    def trace_hash(self) -> str:
        """Raise a ValueError, because a recording has only pictures."""
        raise ValueError(f"This is a recording, without a trace: {self._instead}.")

    trace_csv = trace_json = script = trace_hash

    def best_csv(self, name: str) -> str:
        """Raise a ValueError, because a recording has no configurations."""
        return self.trace_hash()

    live_page = trace_hash

    def replay(self, calls: Sequence[int]) -> str:
        """Raise a ValueError, because a recording has no replay."""
        return self.trace_hash()

    @property
    def nbytes(self) -> int:
        """Return the recording's size in memory."""
        if self._copied:  # shared data count in the original recording only
            return 0
        return len(self._frames) + sum(map(len, self._assets.values()))


def save_recording(
    run: LiveRun, path: Path, calls: Sequence[int] | None = None, full: bool = False
) -> None:
    """Write the frames and results of a finished run to one ``.npz`` file without pickle.

    Parameters
    ----------
    run : LiveRun
    path : Path
    calls : sequence of int, optional
        Calls whose frames are stored, ascending; by default all.
    full : bool
        Whether to store the results of full restarts as well.
    """
    progress, outcomes = run.progress(0)
    layout = run.layout()
    head = {"layout": layout, "progress": progress, "curve": run.curve()}
    held = range(1, progress["calls"] + 1) if calls is None else calls
    frames, size = [], layout["frame_bytes"]
    for call in held:
        made = run.frames(call, 1, RECORDING_SECONDS)
        frames.append(made[size:] if call > 1 and call - 1 in held else made)
    arrays = {f"asset_{name}": run.asset(name) for name in all_assets(layout)}
    if full:
        head["full"], arrays["full"] = run.full()
    parts = {"frames": b"".join(frames), "outcomes": outcomes, **arrays}
    columns: dict[str, Any] = {name: np.frombuffer(part, np.uint8) for name, part in parts.items()}
    np.savez_compressed(path, head=np.array(json.dumps(head)), **columns)
