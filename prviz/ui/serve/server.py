"""What the server answers beside Streamlit: the player's files, and the frames of live runs.

What is asked of a run is answered in threads of their own, so that the engine blocks neither the
event loop nor the pages. A run's id cannot be guessed and is all that is needed to reach it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache, lru_cache
from importlib import import_module
from threading import Thread
from typing import Any, NamedTuple

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from streamlit import config

from prviz.player.protocols import WatchedRun
from prviz.ui import ROOT
from prviz.ui.catalogue import FORMER, PAGES
from prviz.ui.serve import streamlit_patches

PICTURES = ROOT / "assets" / "pictures"
MAX_CALLS_A_REQUEST = 64
MAX_CALLS_A_REPLAY = 200
LARGEST = 2**32 - 1  # calls are counted in u32
FIRST_PAGE_SECONDS = 15.0
THREADS = 100  # that answer for runs; pages and files have others, which no run can take
OPENING_SECONDS = 0.5  # a player is told sooner that a first call takes long
NEXT_SECONDS = 0.5  # longer than a script run takes to prepare a run

FOREVER = "public, max-age=31536000, immutable"
FRESH = {"Cache-Control": "no-store"}


def base_path() -> str:
    """Where the app is served, with a slash at both ends."""
    path = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}/" if path else "/"


def routes() -> list[BaseRoute]:
    """Routes for `st.App`: the pages' addresses, and everything below `player/`."""
    get, post = ["GET"], ["POST"]
    moved = FORMER.items()
    run = [
        Route("/opening", _for_run(_opening), methods=get),
        Route("/next", _for_run(_next), methods=get),
        Route("/assets/{name}", _for_run(_asset), methods=get),
        Route("/frames", _for_run(_frames), methods=get),
        Route("/keyframes", _for_run(_keyframes), methods=get),
        Route("/progress", _for_run(_progress), methods=get),
        Route("/curve", _for_run(_curve), methods=get),
        Route("/start", _for_run(_start), methods=post),
        Route("/stop", _for_run(_stop), methods=post),
        Route("/trace.csv", _for_run(_trace_csv), methods=get),
        Route("/trace.json", _for_run(_trace_json), methods=get),
        Route("/replay.html", _for_run(_replay), methods=get),
    ]
    return [
        *(Route(f"{base_path()}{page}", _page, methods=get) for page in ("", *PAGES)),
        Route(f"{base_path()}home", lambda _: RedirectResponse(base_path()), methods=get),
        *(Route(f"{base_path()}{former}", _moved(page), methods=get) for former, page in moved),
        Mount(
            f"{base_path()}player",
            routes=[
                Route("/static/{name}", _static, methods=get),
                Route("/pictures/{name}", _picture, methods=get),
                Mount("/runs/{run}", routes=run),
            ],
        ),
    ]


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Make the engine ready while the first page loads; end its threads with the server."""
    streamlit_patches.send_at_once()
    streamlit_patches.switch_often()
    from prviz.player import live, memory, store

    try:
        memory.bound()
    except ValueError as error:
        print(f"{error} The default is taken.", file=sys.stderr)
        os.environ.pop(memory.VARIABLE)
    memory.few_arenas()
    live.warm()
    Thread(target=_prepare, name="prviz-prepare", daemon=True).start()
    yield
    for run in store.held():
        run.close()


def _prepare() -> None:
    """Do what the first page would otherwise wait for, while its browser loads Streamlit.

    Then load the kernels of the other pages, once they are compiled.
    """
    from prviz import warm

    for name in ("home", "page", "benchmarks.hierarchy"):  # which imports all other benchmarks
        import_module(f"prviz.ui.{name}")
    streamlit_patches.look_through_the_stack()
    static_version()

    time.sleep(FIRST_PAGE_SECONDS)  # it loads its own, and must not share the interpreter meanwhile
    warm.ready(None)
    warm.compile_all()
    streamlit_patches.keep_for_good()


# What a run answers


_threads = CapacityLimiter(THREADS)


def _for_run(
    answer: Callable[[WatchedRun, Request], Response],
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that finds the run, and says in a sentence what is wrong with a request."""

    def found(request: Request) -> Response:
        from prviz.player import store

        run = store.find(request.path_params["run"])
        if run is None:
            return _sentence(404, "This run is not held any more: reload the page.")
        try:
            return answer(run, request)
        except HTTPException as error:
            return _sentence(error.status_code, error.detail)
        except (ValueError, TypeError) as error:
            return _sentence(400, str(error))

    async def endpoint(request: Request) -> Response:
        return await run_sync(found, request, limiter=_threads)

    return endpoint


def _opening(run: WatchedRun, request: Request) -> Response:
    """All that a player needs before its first picture, but for the assets."""
    head, outcomes = _head(run, 0)
    layout = run.layout()
    about = {
        "run": run.id,
        "layout": layout,
        "head": head,
        "outcomes": len(outcomes),
        "tags": {name: _tag(run.asset(name)) for name in layout["assets"]},
    }
    frames = run.opening() if head["calls"] else b""
    return _binary(request, _line(about) + outcomes + frames)


def _next(run: WatchedRun, request: Request) -> Response:
    """The opening of the run that takes this one's place: sooner than Streamlit can tell of it."""
    successor = run.successor(NEXT_SECONDS)
    return _opening(successor, request) if successor else Response(status_code=204, headers=FRESH)


def _asset(run: WatchedRun, request: Request) -> Response:
    from prviz.player.frames import all_assets

    name = request.path_params["name"]
    if name not in all_assets(run.layout()):
        raise HTTPException(404, "This run has no such asset.")
    return _binary(request, run.asset(name))


def _frames(run: WatchedRun, request: Request) -> Response:
    call = _whole(request, "call", 1, LARGEST)
    count = _whole(request, "count", 1, MAX_CALLS_A_REQUEST)
    return _binary(request, run.frames(call, count))


def _keyframes(run: WatchedRun, request: Request) -> Response:
    generation, frames = run.keyframes(_whole(request, "since", 0, LARGEST))
    return _binary(request, frames, {"Generation": str(generation)})


def _progress(run: WatchedRun, request: Request) -> Response:
    head, outcomes = _head(run, _whole(request, "since", 0, LARGEST))
    return _binary(request, _line(head) + outcomes)


def _head(run: WatchedRun, since: int) -> tuple[dict, bytes]:
    """How far the run is; where it is nowhere yet, it makes its first call, to be seen."""
    head, outcomes = run.progress(since)
    if not head["calls"] and head["state"] != "failed" and run.kernels_ready():
        run.opening(OPENING_SECONDS)
        head, outcomes = run.progress(since)
    return head, outcomes


def _curve(run: WatchedRun, _request: Request) -> Response:
    return JSONResponse(run.curve(), headers=FRESH)


def _start(run: WatchedRun, _request: Request) -> Response:
    run.start()
    return JSONResponse({"state": run.state}, headers=FRESH)


def _stop(run: WatchedRun, _request: Request) -> Response:
    run.stop()
    return JSONResponse({"state": run.state}, headers=FRESH)


def _trace_csv(run: WatchedRun, _request: Request) -> Response:
    return _download(run.trace_csv(), "text/csv", f"prviz-trace-{run.trace_hash()}.csv")


def _trace_json(run: WatchedRun, _request: Request) -> Response:
    name = f"prviz-trace-{run.trace_hash()}.json"
    return _download(run.trace_json(), "application/json", name)


def _replay(run: WatchedRun, request: Request) -> Response:
    calls = _ascending(request.query_params.get("calls", "1"))
    if not calls:
        raise HTTPException(400, f"calls must be up to {MAX_CALLS_A_REPLAY} numbers, ascending.")
    return _download(run.replay(calls), "text/html", "prviz-replay.html")


def _ascending(text: str) -> list[int]:
    """The numbers of calls in a text such as "1,2,41"; none if that is not what it has."""
    found = text.split(",")
    sound = all(number.isascii() and number.isdigit() and len(number) <= 10 for number in found)
    calls = [int(number) for number in found] if sound and len(found) <= MAX_CALLS_A_REPLAY else []
    return calls if calls == sorted({*calls} - {0}) else []


def _whole(request: Request, name: str, low: int, high: int, default: int | None = None) -> int:
    text = request.query_params.get(name)
    if text is None and default is not None:
        return default
    if text is None:
        raise HTTPException(400, f"The query must give {name}, {low} to {high}.")
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and low <= int(text) <= high):
        raise HTTPException(400, f"{name} must be a whole number from {low} to {high}.")
    return int(text)


def _sentence(status: int, sentence: str) -> Response:
    return JSONResponse({"message": sentence}, status, headers=FRESH)


def _line(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode() + b"\n"


@lru_cache(maxsize=16)  # assets may be megabytes, and each opening names their tags
def _tag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _binary(request: Request, content: bytes, more: dict[str, str] | None = None) -> Response:
    """Bytes, packed quickly where the browser can unpack them: most of a frame stands still."""
    headers = {**FRESH, "Content-Encoding": "identity", "Vary": "Accept-Encoding", **(more or {})}
    if _unpacks(request):
        content, headers["Content-Encoding"] = gzip.compress(content, 1), "gzip"
    return Response(content, media_type="application/vector-stream", headers=headers)


def _unpacks(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _download(content: str, media_type: str, name: str) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers={**FRESH, **disposition})


def _page(_request: Request) -> Response:
    script = f"{base_path()}player/static/player.js?v={static_version()}"
    html = streamlit_patches.page(base_path(), script)
    return Response(html, media_type="text/html", headers={"Cache-Control": "no-cache"})


def _moved(page: str) -> Callable[[Request], Response]:
    """From a former address of a page to the one it has, with the whole link."""

    def answer(request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{base_path()}{page}{query}", 301)

    return answer


# The player's files


def static_version() -> str:
    """A hash of the player's script: a new one makes browsers fetch it anew."""
    return _file("player.js").tag


def _static(request: Request) -> Response:
    try:
        file = _file(request.path_params["name"])
    except KeyError:
        return _sentence(404, "The player has no such file.")
    known = request.query_params.get("v") == file.tag
    headers = {
        "Cache-Control": FOREVER if known else "no-cache",
        "ETag": f'"{file.tag}"',
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    content = file.content
    if _unpacks(request):
        content, headers["Content-Encoding"] = file.packed, "gzip"
    return Response(content, media_type="text/javascript", headers=headers)


# The pictures of the cards


@cache
def _pictures() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in PICTURES.glob("*.webp")}


def picture_version(name: str) -> str | None:
    """A hash of a picture, for which browsers fetch a new one anew; None if there is none."""
    content = _pictures().get(name)
    return content and _tag(content)


def _picture(request: Request) -> Response:
    content = _pictures().get(request.path_params["name"])
    if content is None:
        return _sentence(404, "There is no such picture.")
    known = request.query_params.get("v") == _tag(content)
    headers = {"Cache-Control": FOREVER if known else "no-cache"}
    return Response(content, media_type="image/webp", headers=headers)


class _File(NamedTuple):
    content: bytes
    packed: bytes
    tag: str


@cache
def _file(name: str) -> _File:
    """A script and the same packed, once and for all; a KeyError if there is none."""
    text = {"player.js": _player_script, "plotly.min.js": _plotly_script}[name]()
    content = text.encode()
    return _File(content, gzip.compress(content, 6), _tag(content))


def _player_script() -> str:
    from prviz.player.bundle import script

    return script()


def _plotly_script() -> str:
    from plotly.offline import get_plotlyjs

    return get_plotlyjs()
