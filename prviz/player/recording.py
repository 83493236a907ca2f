"""Runs that were recorded once, to be seen while there is nothing live to see yet."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .live import LiveRun
from .pictures.frames import LAST, all_assets, frame_dtype
from .resources.store import RUNS


class RecordedRun:
    """Answers a player as :class:`LiveRun` does, from a file and without computing anything.

    Parameters
    ----------
    path : Path
        A file that :func:`save_recording` wrote.
    id : str
        Name under which ``RUNS`` has it, for every viewer at once.
    says : str
        Sentence that tells the viewer that this is a recording, and why.
    instead : str
        What to do for all that a recording has not.
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
            names = all_assets(self._layout)
            self._assets = {name: file[f"asset_{name}"].tobytes() for name in names}
        frames = np.frombuffer(self._frames, frame_dtype(self._layout))
        self._ends = np.flatnonzero(frames["flags"] & LAST) + 1
        self.id = id
        self._instead = instead
        self.watched = 0.0
        RUNS[id] = self

    def layout(self) -> dict:
        return self._layout

    def asset(self, name: str) -> bytes:
        return self._assets[name]

    def frames(self, call: int, count: int) -> bytes:
        """The closing frame of the call before, then all frames of ``count`` calls."""
        last = min(call + count - 1, len(self._ends))
        if last < call:
            return b""
        first = self._ends[call - 2] - 1 if call > 1 else 0
        size = self._layout["frame_bytes"]
        return self._frames[first * size : self._ends[last - 1] * size]

    def opening(self) -> bytes:
        return self.frames(1, 1)

    def keyframes(self, since: int) -> tuple[int, bytes]:
        size = self._layout["frame_bytes"]
        ends = self._ends[since:]
        return 0, b"".join(self._frames[(end - 1) * size : end * size] for end in ends)

    def progress(self, since: int) -> tuple[dict, bytes]:
        return self._progress, self._outcomes[since:]

    def curve(self) -> dict:
        return self._curve

    def duel(self) -> tuple[dict, bytes]:
        """Of what was beside it a recording has but the curve."""
        raise ValueError(f"This is a recording, without full restarts: {self._instead}.")

    def successor(self, seconds: float) -> None:
        """None: every viewer has another."""

    def start(self) -> None:
        """Nothing to start."""

    stop = close = drop_snapshots = drop_frames = start

    def trace_hash(self) -> str:
        """A recording has but its pictures."""
        raise ValueError(f"This is a recording, without a trace: {self._instead}.")

    trace_csv = trace_json = script = trace_hash

    def best_csv(self, name: str) -> str:
        """A recording has no configurations."""
        return self.trace_hash()

    def replay(self, calls: Sequence[int]) -> str:
        """Recordings are played where they are."""
        return self.trace_hash()

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return len(self._frames) + sum(map(len, self._assets.values()))


def save_recording(run: LiveRun, path: Path) -> None:
    """Write all that a finished run would answer, in one ``.npz`` file without pickle."""
    progress, outcomes = run.progress(0)
    layout = run.layout()
    head = {"layout": layout, "progress": progress, "curve": run.curve()}
    assets = {
        f"asset_{name}": np.frombuffer(run.asset(name), np.uint8) for name in all_assets(layout)
    }
    np.savez_compressed(
        path,
        head=np.array(json.dumps(head)),
        frames=np.frombuffer(run.frames(1, progress["calls"]), np.uint8),
        outcomes=np.frombuffer(outcomes, np.uint8),
        **assets,
    )


def save_race(run: LiveRun, path: Path) -> None:
    """Write how far a finished run came, and its curve: packed JSON, then a byte a call."""
    progress, outcomes = run.progress(0)
    line = json.dumps({**progress, "curve": run.curve()}, allow_nan=False)
    path.write_bytes(gzip.compress(line.encode() + b"\n" + outcomes, 9, mtime=0))
