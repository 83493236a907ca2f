"""Routes of the server in addition to Streamlit: the player's files, and frames of live runs.

Separate threads answer requests for runs, so that the engine blocks neither the event loop nor the
pages. Everyone who knows a run's id can reach the run, but nobody can guess an id.
"""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from streamlit import config

from prviz.player import answers
from prviz.shipped import shipped
from prviz.ui.catalogue import ACROSS, FORMER, PAGES
from prviz.ui.serve import streamlit_patches

PICTURES = shipped("assets", "pictures")
THREADS = 100  # threads that answer requests for runs; pages and files use other threads

MOST_SENT = 20_000  # largest request body in bytes: enough for a drawing of 5000 points
TOO_LONG = f"Too much data: at most {MOST_SENT} bytes can be sent."

FOREVER = "public, max-age=31536000, immutable"
FRESH = {"Cache-Control": "no-store"}
WEBP = {"Content-Type": "image/webp"}


def base_path() -> str:
    """Return the path of the app, with a slash at both ends."""
    path = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}/" if path else "/"


def routes() -> list[BaseRoute]:
    """Return the routes for `st.App`: pages, and everything below `player/`."""
    get, both = ["GET"], ["GET", "POST"]
    moved = FORMER.items()
    return [
        *(Route(f"{base_path()}{page}", _page, methods=get) for page in ("", *PAGES, *ACROSS)),
        Route(f"{base_path()}home", lambda _: RedirectResponse(base_path()), methods=get),
        *(Route(f"{base_path()}{former}", _moved(page), methods=get) for former, page in moved),
        Mount(
            f"{base_path()}player",
            routes=[
                Route("/static/{name}", _static, methods=get),
                Route("/pictures/{name}", _ship(PICTURES, **WEBP), methods=get),
                Route("/runs/{run}/{path:path}", _endpoint(answers.OF_RUN), methods=both),
                Route("/many/{run}/{path:path}", _endpoint(answers.OF_MANY), methods=both),
            ],
        ),
    ]


# Requests for runs


_threads = CapacityLimiter(THREADS)


def _endpoint(table: answers.Table) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that finds a run and returns its answer."""

    def found(request: Request, body: str) -> Response:
        from prviz.player.resources import store

        run = store.find(request.path_params["run"])
        query = {**request.query_params, "body": body}
        method = "GET" if request.method == "HEAD" else request.method
        made = answers.answer(table, run, method, request.path_params["path"], query)
        return _response(request, made)

    async def endpoint(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return JSONResponse({"message": TOO_LONG}, 413, headers=FRESH)
        return await run_sync(found, request, body, limiter=_threads)

    return endpoint


async def _body(request: Request) -> str | None:
    """Return the text of a request's body; None if it is too long."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_SENT:
            return None
    return content.decode("ascii", "replace")


def _response(request: Request, made: answers.Answer) -> Response:
    """Return an HTTP response; frames are compressed if the browser supports it."""
    content, headers = made.content, {**FRESH, **dict(made.headers)}
    if made.name:
        headers["Content-Disposition"] = f'attachment; filename="{made.name}"'
    elif made.media_type == answers.STREAM and made.status == 200:
        headers |= {"Content-Encoding": "identity", "Vary": "Accept-Encoding"}
        if _unpacks(request):
            content, headers["Content-Encoding"] = gzip.compress(content, 1), "gzip"
    return Response(content, made.status, headers, media_type=made.media_type)


def _unpacks(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _page(request: Request) -> Response:
    if request.query_params.get("notes") == "1":
        return RedirectResponse(f"{base_path()}lecture?notes=1", headers=FRESH)
    script = f"{base_path()}player/static/player.js?v={static_version()}"
    html = streamlit_patches.page(base_path(), script)
    return Response(html, media_type="text/html", headers={"Cache-Control": "no-cache"})


def _moved(page: str) -> Callable[[Request], Response]:
    """Redirect a former address of a page to its present address, with the whole query."""

    def answer(request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{base_path()}{page}{query}", 301)

    return answer


def _sentence(text: str) -> Response:
    return JSONResponse({"message": text}, 404, headers=FRESH)


# Files of the player


def static_version() -> str:
    """Return a hash of the player's script: a new hash makes browsers fetch it again."""
    return file_version("player.js")


def file_version(name: str) -> str:
    """Return a hash of a script."""
    return _file(name).tag


def _static(request: Request) -> Response:
    try:
        file = _file(request.path_params["name"])
    except KeyError:
        return _sentence("Unknown file of the player.")
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


# Files of the app


@cache
def _shipped(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder that browsers may request, by name."""
    return {path.name: path.read_bytes() for path in folder.glob("*.webp")}


def picture_version(name: str) -> str | None:
    """Return a hash of a picture, with which browsers notice changes; None if it is missing."""
    content = _shipped(PICTURES).get(name)
    return None if content is None else answers.tag(content)


def _ship(folder: Path, **headers: str) -> Callable[[Request], Response]:
    """Return an endpoint for the files of a folder."""

    def answer(request: Request) -> Response:
        content = _shipped(folder).get(request.path_params["name"])
        if content is None:
            return _sentence("Unknown file.")
        known = request.query_params.get("v") == answers.tag(content)
        cached = {"Cache-Control": FOREVER if known else "no-cache"}
        return Response(content, headers={**cached, **headers})

    return answer


class _File(NamedTuple):
    content: bytes
    packed: bytes
    tag: str


@cache
def _file(name: str) -> _File:
    """Return a script and its compressed form, cached; raise a KeyError if there is none."""
    content = _script(name).encode()
    return _File(content, gzip.compress(content, 6), answers.tag(content))


def _script(name: str) -> str:
    from prviz.player.export import bundle

    if name == "player.js":
        return bundle.served_script()
    if name in (*bundle.PARTS, *bundle.CLASS):
        return bundle.built(name)
    if name == "plotly.min.js":
        from plotly.offline import get_plotlyjs

        return get_plotlyjs()
    raise KeyError(name)
