"""Answers to requests about runs, for a server or a notebook's kernel."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .pictures.frames import all_assets
from .pictures.protocols import Superseded

MAX_CALLS_A_REQUEST = 64
MAX_CALLS_A_REPLAY = 200
LARGEST = 2**32 - 1  # calls are counted in u32
OPENING_SECONDS = 0.5  # longest wait of a progress request for the first call
STOPPING_SECONDS = 0.25  # longest wait for a stop; most runs stop within this time
NEXT_SECONDS = 0.5  # longest wait for the run that follows this one

STREAM, JSON = "application/vector-stream", "application/json"


class Answer(NamedTuple):
    """An answer to a request.

    Attributes
    ----------
    content : bytes
    media_type : str
    status : int
        HTTP status code.
    name : str
        Name of the file to save, if any.
    headers : tuple of pairs
    """

    content: bytes
    media_type: str = STREAM
    status: int = 200
    name: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class Refusal(Exception):
    """A rejected request, with the reason."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status = status


Query = Mapping[str, str]
Table = Mapping[str, Callable[[Any, Query], Answer]]


def answer(table: Table, run: Any, method: str, path: str, query: Query) -> Answer:
    """Return a run's answer to a request, or an error message.

    Parameters
    ----------
    table : Table
        :data:`OF_RUN` or :data:`OF_MANY`.
    run
        The run; None if it has expired.
    method : {"GET", "POST"}
    path : str
        Requested path, below the run's own address: "frames", "assets/points".
    query : mapping of str to str
        Parameters of the request; "body" is its text.
    """
    if run is None:
        return sentence(404, "This run has expired. Reload the page.")
    name, _, rest = path.partition("/")
    made = table.get(f"{method} {name}")
    if made is None:
        other = {"GET": "POST", "POST": "GET"}.get(method)
        known = f"{other} {name}" in table
        return sentence(405 if known else 404, f"Unknown request: {method} {name}.")
    try:
        return made(run, {**query, "name": rest} if rest else query)
    except Refusal as refusal:
        return sentence(refusal.status, str(refusal))
    except (ValueError, TypeError) as error:
        return sentence(400, str(error))


def sentence(status: int, text: str) -> Answer:
    """Return an error message as an answer."""
    return _json({"message": text}, status)


# Answers of a run


def _opening(run: Any, _query: Query, along: bool = False) -> Answer:
    """Return the data that a player needs first, with the assets if ``along`` is True."""
    head, outcomes = _head(run, 0)
    layout = run.layout()
    about = {
        "run": run.id,
        "layout": layout,
        "head": head,
        "outcomes": len(outcomes),
        "held": getattr(run, "held", None),
        "tags": {name: tag(run.asset(name)) for name in layout["assets"]},
    }
    frames = run.opening() if head["calls"] else b""
    assets = {name: run.asset(name) for name in layout["assets"]} if along else {}
    about["along"] = {name: len(content) for name, content in assets.items()}
    return Answer(_line(about) + outcomes + frames + b"".join(assets.values()))


def _next(run: Any, query: Query) -> Answer:
    """Answer like `_opening`, but for this run's successor; empty after ``NEXT_SECONDS``."""
    successor = run.successor(NEXT_SECONDS)
    return _opening(successor, query) if successor else Answer(b"", status=204)


def _asset(run: Any, query: Query) -> Answer:
    name = query.get("name", "")
    if name not in all_assets(run.layout()):
        raise Refusal(404, "Unknown asset of this run.")
    return Answer(run.asset(name))


def _frames(run: Any, query: Query) -> Answer:
    call = _whole(query, "call", 1, LARGEST)
    count = _whole(query, "count", 1, MAX_CALLS_A_REQUEST)
    return Answer(run.frames(call, count))


def _keyframes(run: Any, query: Query) -> Answer:
    generation, frames = run.keyframes(_whole(query, "since", 0, LARGEST))
    return Answer(frames, headers=(("Generation", str(generation)),))


def _progress(run: Any, query: Query) -> Answer:
    head, outcomes = _head(run, _whole(query, "since", 0, LARGEST))
    return Answer(_line(head) + outcomes)


def _head(run: Any, since: int) -> tuple[dict[str, Any], bytes]:
    """Return the run's progress; a run without calls makes its first call, to have a picture."""
    head, outcomes = run.progress(since)
    if not head["calls"] and head["state"] != "failed" and run.kernels_ready():
        run.opening(OPENING_SECONDS)
        head, outcomes = run.progress(since)
    return head, outcomes


def _full(run: Any, _query: Query) -> Answer:
    head, frames = run.full()
    return Answer(_line(head) + frames)


def _curve(run: Any, _query: Query) -> Answer:
    return _json(run.curve())


def _start(run: Any, _query: Query) -> Answer:
    run.start()
    return _json({"state": run.state})


def _stop(run: Any, _query: Query) -> Answer:
    run.stop()
    return _json({"state": run.state})


def _redraw(run: Any, query: Query) -> Answer:
    """Replace the run by a run on a new drawing; answer like `_opening` for the new run."""
    if getattr(run, "drawing", None) is None:
        raise Refusal(400, "This run has no drawn points.")
    try:
        made = run.drawing.redraw(query.get("body", ""))
    except Superseded:
        raise Refusal(409, "A newer drawing exists.") from None
    return _opening(made, query, along=True)


def _trace_csv(run: Any, _query: Query) -> Answer:
    return _file(run.trace_csv(), "text/csv", f"prviz-trace-{run.trace_hash()}.csv")


def _trace_json(run: Any, _query: Query) -> Answer:
    return _file(run.trace_json(), JSON, f"prviz-trace-{run.trace_hash()}.json")


def _best_csv(run: Any, query: Query) -> Answer:
    """Return the best configuration as the named table; "best/centres" requests "centres"."""
    name = query.get("name", "")
    return _file(run.best_csv(name), "text/csv", f"prviz-{name}-{run.trace_hash()}.csv")


def _replay(run: Any, query: Query) -> Answer:
    calls = _ascending(query.get("calls", "1"))
    if not calls:
        raise Refusal(400, f"calls must be at most {MAX_CALLS_A_REPLAY} numbers, ascending.")
    return _file(run.replay(calls), "text/html", "prviz-replay.html")


def _live_page(run: Any, _query: Query) -> Answer:
    return _file(run.live_page(), "text/html", "prviz-live.html")


def _script(run: Any, _query: Query) -> Answer:
    """Return Python code that repeats the run, as a script and as a notebook."""
    made = run.script()
    return _json({"name": made.name, "python": made.python(), "notebook": made.notebook()})


OF_RUN: Table = {
    "GET opening": _opening,
    "GET next": _next,
    "GET assets": _asset,
    "GET frames": _frames,
    "GET keyframes": _keyframes,
    "GET progress": _progress,
    "GET full": _full,
    "GET curve": _curve,
    "POST start": _start,
    "POST stop": _stop,
    "POST redraw": _redraw,
    "GET trace.csv": _trace_csv,
    "GET trace.json": _trace_json,
    "GET best": _best_csv,
    "GET replay.html": _replay,
    "GET live.html": _live_page,
    "GET script": _script,
}


# Answers of many runs


def _board(many: Any, query: Query) -> Answer:
    since = _whole(query, "since", 0, LARGEST, default=-1)
    return Answer(many.shown(query.get("axis"), since))


def _stop_many(many: Any, _query: Query) -> Answer:
    many.stop()
    many.wait(STOPPING_SECONDS)
    return _json({"state": many.state})


def _replay_of(many: Any, query: Query) -> Answer:
    """Compute one of the runs again, and return it as a run to play."""
    return _json(many.replay(query.get("contender", ""), _whole(query, "seed", 0, LARGEST)))


def _runs_csv(many: Any, _query: Query) -> Answer:
    return _file(many.table(), "text/csv", "prviz-runs.csv")


def _report(many: Any, query: Query) -> Answer:
    try:
        return _file(many.report(query.get("axis")), "text/html", "prviz-report.html")
    except ValueError as error:
        raise Refusal(400, str(error)) from None


OF_MANY: Table = {
    "GET shown": _board,
    "POST start": _start,
    "POST stop": _stop_many,
    "POST replay": _replay_of,
    "GET runs.csv": _runs_csv,
    "GET script": _script,
    "GET report.html": _report,
}


# Formats


@lru_cache(maxsize=16)  # hashes are needed often, and assets may have megabytes
def tag(content: bytes) -> str:
    """Return a short hash, by which a browser recognises an asset."""
    return hashlib.sha256(content).hexdigest()[:12]


def _line(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode() + b"\n"


def _json(value: Any, status: int = 200) -> Answer:
    content = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Answer(content.encode(), JSON, status)


def _file(content: str, media_type: str, name: str) -> Answer:
    return Answer(content.encode(), media_type, name=name)


def _ascending(text: str) -> Sequence[int]:
    """Return the numbers in a text such as "1,2,41"; none if it has another format."""
    found = text.split(",")
    sound = all(number.isascii() and number.isdigit() and len(number) <= 10 for number in found)
    calls = [int(number) for number in found] if sound and len(found) <= MAX_CALLS_A_REPLAY else []
    return calls if calls == sorted({*calls} - {0}) else []


def _whole(query: Query, name: str, low: int, high: int, default: int | None = None) -> int:
    text = query.get(name)
    if text is None and default is not None:
        return default
    if text is None:
        raise Refusal(400, f"The query needs {name}, a whole number from {low} to {high}.")
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and low <= int(text) <= high):
        raise Refusal(400, f"{name} must be a whole number from {low} to {high}.")
    return int(text)
