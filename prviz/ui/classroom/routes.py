"""Routes of a class: JSON for phones, for the projector and for the lecturer's notes.

The routes exist only if the server has a lecturer's secret. All changes happen in the event loop,
so the room needs no lock.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from prviz.classroom.people import COLOURS
from prviz.classroom.plans import PLANS, step_of
from prviz.classroom.question import Refused, answered, parse
from prviz.classroom.room import Room
from prviz.ui.classroom import access, lecturing, pages
from prviz.ui.classroom.changes import Changes
from prviz.ui.serve.limits import Askers
from prviz.ui.serve.server import FRESH, base_path, file_version

MOST_SENT = 1024  # bytes of a request from a phone
MOST_LED = 32_768  # bytes of a request from the lecturer's page
MOST_SCREENS = 8  # projectors and notes that may wait at the same time
#: Limits (requests per second, burst after a pause) of a phone, and of joins from one address. A
#: whole class may share an address.
RATE, BURST = 1.0, 8.0
JOIN_RATE, JOIN_BURST = 2.0, 120.0
PATIENCE = 3.0  # seconds; requests that would have to wait longer are rejected

Handler = Callable[[Request], Awaitable[Response]]


def routes() -> list[BaseRoute]:
    """Return the routes of a class; without a secret, a single route: there is no lecturer."""
    if access.secret() is None:
        return [Route(f"{base_path()}class/lecturer", _nobody)]
    return ClassRoutes().all


async def _nobody(_request: Request) -> Response:
    return JSONResponse({"lecturer": False}, headers=FRESH)


class ClassRoutes:
    """The class of this server (:class:`Room`), and its routes."""

    def __init__(self) -> None:
        self.room = Room()
        self.engine: lecturing.Engine | None = None
        self._phones, self._screens = Changes(), Changes()
        self._rates = Askers(RATE, BURST, 1)
        self._joins = Askers(JOIN_RATE, JOIN_BURST, 1)
        self._turns = CapacityLimiter(1)  # one search at a time for phones that cannot compute

    @property
    def all(self) -> list[BaseRoute]:
        """Return all routes."""
        base = base_path()
        read: dict[str, Handler] = {
            "join": pages.join,
            "lecture": self._lecture,
            "class/lecturer": self._lecturer,
            "class/phone": self._phone,
            "class/engine": self._engine,
            "class/projector": self._projector,
            "class/notes": self._notes,
            "class/bets.csv": self._csv,
            "class/code.svg": self._code,
        }
        written: dict[str, Handler] = {
            "class/join": self._join,
            "class/bet": self._bet,
            "class/result": self._result,
            "class/compute": self._compute,
            **{f"class/{name}": partial(self._lead, name) for name in LED},
        }
        return [
            *(Route(f"{base}{path}", _safe(of), methods=["GET"]) for path, of in read.items()),
            *(Route(f"{base}{path}", _safe(of), methods=["POST"]) for path, of in written.items()),
        ]

    def _tell(self, phones: bool = True) -> None:
        self._screens.tell()
        if phones:
            self._phones.tell()

    # Phones

    async def _join(self, request: Request) -> Response:
        place = (await _json(request, MOST_SENT)).get("place")
        now, address = time.monotonic(), request.client.host if request.client else ""
        if self._joins.take(address, now, 0.0):
            raise Refused(429, "Too many people join at once. Wait a moment.")
        name = self.room.join(now, place if type(place) is int else None)
        self._tell(phones=False)
        return self._state(name, now, id=name)

    async def _phone(self, request: Request) -> Response:
        name = await self._named(request)
        since = request.query_params.get("since", "")
        if not await self._phones.wait(name, lambda: since != self._mark):
            return Response(status_code=204)  # another tab of this phone has replaced this request
        return self._state(name)

    async def _bet(self, request: Request) -> Response:
        name = await self._named(request)
        sent = await _json(request, MOST_SENT)
        self.room.bet(name, sent.get("number"), sent.get("bet"), time.monotonic())
        self._tell(phones=False)
        return self._state(name)

    async def _result(self, request: Request) -> Response:
        name = await self._named(request)
        sent = await _json(request, MOST_SENT)
        self.room.take(name, sent.get("number"), sent, time.monotonic())
        self._tell(phones=False)
        return self._state(name)

    async def _engine(self, request: Request) -> Response:
        await self._named(request)
        if self.engine is None:
            raise Refused(409, "This experiment is over.")
        headers = {**FRESH, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(self.engine.packed, media_type="application/json", headers=headers)

    async def _compute(self, request: Request) -> Response:
        """Run the search of a phone that cannot compute; only one such search runs at a time."""
        name = await self._named(request)
        sent = await _json(request, MOST_SENT)
        experiment, engine, number = self.room.experiment, self.engine, self.room.number
        if experiment is None or engine is None:
            raise Refused(409, "This experiment is over.")
        place = self.room.member(name, time.monotonic()).who.place
        k1, m1 = experiment.checked(sent)
        found = await run_sync(engine.search, k1, m1, place, experiment.work, limiter=self._turns)
        self.room.take(name, number, {**sent, **found}, time.monotonic())
        self._tell(phones=False)
        return self._state(name)

    async def _named(self, request: Request) -> str:
        """Return the id of a phone; raise :class:`Refused` if it is unknown or sends too often."""
        name, now = request.headers.get("class-id", ""), time.monotonic()
        self.room.member(name, now)
        if self._rates.take(name, now, PATIENCE) > PATIENCE:
            raise Refused(429, "Too many requests. Wait a moment.")
        return name

    @property
    def _mark(self) -> str:
        return f"{self.room.session}-{self.room.version}"

    def _state(self, name: str, now: float | None = None, **more: str) -> Response:
        shown = self.room.state_of(name, time.monotonic() if now is None else now)
        shown |= {"mark": self._mark, "hue": COLOURS[shown["colour"]], **more}
        return JSONResponse(shown, headers=FRESH)

    # The lecturer

    async def _lecture(self, request: Request) -> Response:
        """Store the secret of the link in a cookie, and remove it from the address."""
        given, query = request.query_params.get("key"), request.query_params
        if given is not None:
            if not access.is_secret(given):
                raise Refused(403, "This is not the lecturer's link of this server.")
            more = "?notes=1" if query.get("notes") == "1" else ""
            there = RedirectResponse(f"{base_path()}lecture{more}", 303, headers=FRESH)
            return access.remember(request, there)
        if not access.leads(request):
            raise Refused(403, "Open the lecturer's link, which the terminal shows.")
        if (plan := query.get("plan")) is not None:
            self.room.plan = plan if plan in PLANS else ""
            self.room.dismiss()
            self.room.show({})
            self._tell(phones=False)
            return RedirectResponse(f"{base_path()}{pages.first_page(self.room.plan)}", 303)
        return pages.notes() if query.get("notes") == "1" else pages.lecture()

    async def _lecturer(self, request: Request) -> Response:
        leads = access.leads(request)
        shown: dict[str, Any] = {"lecturer": leads}
        if leads:
            panel = f"player/static/panel.js?v={file_version('panel.js')}"
            shown |= {"join": pages.join_address(request), "panel": panel}
        return JSONResponse(shown, headers=FRESH)

    async def _projector(self, request: Request) -> Response:
        await self._wait_as_screen(request)
        return JSONResponse(self.room.projected() | {"hues": list(COLOURS.values())}, headers=FRESH)

    async def _notes(self, request: Request) -> Response:
        await self._wait_as_screen(request)
        room = self.room
        lesson = "" if room.experiment else room.shown.get("lesson", "")
        notes = await run_sync(lecturing.notes_of, lesson)
        last = PLANS[room.plan][-1] if room.plan and room.stop == "end" else None
        step = last or step_of(room.plan, room.stop)
        said = step.noted if step else {}
        return JSONResponse(room.noted() | notes | said, headers=FRESH)

    async def _wait_as_screen(self, request: Request) -> None:
        _check_lead(request)
        since = request.query_params.get("since", "")
        if len(self._screens) >= MOST_SCREENS:
            raise Refused(429, "Too many open screens. Close a tab.")
        room = self.room
        await self._screens.wait(object(), lambda: since != f"{room.session}-{room.beat}")

    async def _csv(self, request: Request) -> Response:
        _check_lead(request)
        headers = {**FRESH, "Content-Disposition": 'attachment; filename="prviz-class.csv"'}
        return Response(self.room.csv(), media_type="text/csv", headers=headers)

    async def _code(self, request: Request) -> Response:
        _check_lead(request)
        return pages.code(request.query_params.get("of", ""))

    async def _lead(self, name: str, request: Request) -> Response:
        _check_lead(request)
        sent = await _json(request, MOST_LED)
        before = self._mark
        await LED[name](self, sent)
        self._tell(phones=self._mark != before)
        return JSONResponse(self.room.projected(), headers=FRESH)

    async def ask(self, sent: dict[str, Any]) -> None:
        """Open a lesson's question, or a question about the shown run."""
        if "lesson" in sent:
            self.room.open(await run_sync(lecturing.question_of, sent["lesson"]))
        else:
            self.room.open(parse(sent.get("question")))

    async def reveal(self, sent: dict[str, Any]) -> None:
        """Reveal the answer; for a question about the shown run, the request contains it."""
        question = self.room.question
        if question is not None and isinstance(sent.get("answer"), (str, int, float, list)):
            question = answered(question, sent)
        self.room.reveal(question)

    async def search(self, sent: dict[str, Any]) -> None:
        """Let everyone run a search on the problem of a lesson or of the shown run."""
        engine = await run_sync(lecturing.engine_of, sent.get("lesson"), sent.get("run"))
        self.engine = engine
        self.room.search(engine.experiment())

    async def close(self, _sent: dict[str, Any]) -> None:
        """Take no more bets."""
        self.room.close()

    async def dismiss(self, sent: dict[str, Any]) -> None:
        """End the question; ``lesson`` names the next lesson."""
        self.room.dismiss(str(sent.get("lesson", ""))[:100])

    async def end(self, _sent: dict[str, Any]) -> None:
        """End the lesson plan."""
        self.room.end()

    async def reset(self, _sent: dict[str, Any]) -> None:
        """Start a new class."""
        self.room.reset()

    async def board(self, sent: dict[str, Any]) -> None:
        """Show or hide the leader board."""
        self.room.board = sent.get("on") is True
        self.room.beat += 1

    async def shown(self, sent: dict[str, Any]) -> None:
        """Store what the projector shows now; after a restart, also its plan."""
        plan = str(sent.get("plan", ""))
        if not self.room.plan and plan in PLANS:
            self.room.plan = plan
        names = ("page", "lesson", "sentence", "watched", "joining")
        self.room.show({name: str(sent.get(name, ""))[:300] for name in names})


#: Routes that only the lecturer can use.
LED: dict[str, Callable[[ClassRoutes, dict[str, Any]], Awaitable[None]]] = {
    **{"ask": ClassRoutes.ask, "reveal": ClassRoutes.reveal, "search": ClassRoutes.search},
    **{"close": ClassRoutes.close, "dismiss": ClassRoutes.dismiss, "reset": ClassRoutes.reset},
    **{"board": ClassRoutes.board, "shown": ClassRoutes.shown, "end": ClassRoutes.end},
}


def _check_lead(request: Request) -> None:
    if not access.leads(request):
        raise Refused(403, "Only the lecturer can do this.")


def _safe(handler: Handler) -> Handler:
    """Return an endpoint that answers a :class:`Refused` with its status and message."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            told = {"message": str(refused)}
            return JSONResponse(told, refused.status, headers=FRESH)

    return endpoint


async def _json(request: Request, most: int) -> dict[str, Any]:
    """Return the JSON object of a body; raise :class:`Refused` if it is too long or invalid."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > most:
            raise Refused(413, f"Too much data: at most {most} bytes can be sent.")
    try:
        found = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        raise Refused(400, "The body must be JSON.") from None
    if not isinstance(found, dict):
        raise Refused(400, "The body must be a JSON object.")
    return found
