"""Requests of phones, of the lecturer and of hostile clients get the right responses."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx2
import pytest
from cases import cases
from starlette.applications import Starlette

from prviz.ui.classroom import changes, routes
from prviz.ui.serve.share import CLASS

SECRET = "a-secret-of-a-test"
KEPT = {"words": "Kept?", "kind": "word", "choices": ["kept", "reverted"]}


@pytest.fixture
def klass(monkeypatch):
    """Start a server with a class; return an object that makes clients for it."""
    monkeypatch.setenv(CLASS, SECRET)
    monkeypatch.setattr(changes, "SECONDS", 0.05)
    return Klass()


class Klass:
    def __init__(self):
        self.routes = routes.ClassRoutes()
        self.app = Starlette(routes=self.routes.all)

    def visit(self, scenario):
        """Run a scenario in a new event loop, with a client for phones and one for the lecturer."""

        async def run():
            transport = httpx2.ASGITransport(self.app)
            address = "http://class.test"
            async with (
                httpx2.AsyncClient(transport=transport, base_url=address) as phone,
                httpx2.AsyncClient(transport=transport, base_url=address) as lead,
            ):
                await lead.get(f"/lecture?key={SECRET}")
                return await scenario(phone, lead)

        with ThreadPoolExecutor(1) as other:  # browser tests leave an event loop in this thread
            return other.submit(asyncio.run, run()).result()


async def join(phone):
    return (await phone.post("/class/join", json={})).json()


def test_class_is_absent_without_a_secret(monkeypatch):
    for secret in (None, "short"):
        monkeypatch.delenv(CLASS, raising=False)
        if secret:
            monkeypatch.setenv(CLASS, secret)
        assert [route.path for route in routes.routes()] == ["/class/lecturer"]


def test_projector_shows_the_bet_of_a_phone(klass):
    async def scenario(phone, lead):
        me = await join(phone)
        headers = {"Class-Id": me["id"]}
        await lead.post("/class/ask", json={"question": KEPT})
        asked = (await phone.get("/class/phone", headers=headers)).json()
        body = {"number": asked["number"], "bet": "kept"}
        await phone.post("/class/bet", json=body, headers=headers)
        before = await lead.get("/class/projector")
        await lead.post("/class/reveal", json={"answer": "kept"})
        after = (await phone.get("/class/phone", headers=headers)).json()
        return asked, before.json(), after

    asked, before, after = klass.visit(scenario)
    assert asked["question"]["words"] == "Kept?"
    assert before["bets"] == [[0, "kept"]]
    assert "answer" not in before
    assert after["right"] is True


def test_waiting_phone_gets_a_question_at_once(klass, monkeypatch):
    monkeypatch.setattr(changes, "SECONDS", 60.0)

    async def scenario(phone, lead):
        me = await join(phone)
        there = f"/class/phone?since={me['mark']}"
        waiting = asyncio.create_task(phone.get(there, headers={"Class-Id": me["id"]}))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await lead.post("/class/ask", json={"question": KEPT})
        return (await asyncio.wait_for(waiting, 10)).json()

    assert klass.visit(scenario)["phase"] == "asking"


def test_report_of_the_projector_wakes_no_phone(klass, monkeypatch):
    monkeypatch.setattr(changes, "SECONDS", 60.0)

    async def scenario(phone, lead):
        me = await join(phone)
        there = f"/class/phone?since={me['mark']}"
        waiting = asyncio.create_task(phone.get(there, headers={"Class-Id": me["id"]}))
        await asyncio.sleep(0.05)
        await lead.post("/class/shown", json={"sentence": "Call 12 is kept."})
        await lead.post("/class/board", json={"on": True})
        await asyncio.sleep(0.05)
        woken = waiting.done()
        waiting.cancel()
        return woken

    assert klass.visit(scenario) is False


def test_routes_of_the_lecturer_need_the_secret(klass):
    async def scenario(phone, lead):
        guess = {"Cookie": "prviz-lecturer=guess"}
        answers = {name: await phone.post(f"/class/{name}", json={}) for name in routes.LED}
        for path in ("projector", "notes", "bets.csv", "code.svg"):
            answers[path] = await phone.get(f"/class/{path}", headers=guess)
        answers["lecture"] = await phone.get("/lecture?key=guess")
        return {path: answer.status_code for path, answer in answers.items()}

    found = klass.visit(scenario)
    assert found == dict.fromkeys(found, 403)
    assert klass.routes.room.phase == "waiting"


def test_secret_is_removed_from_the_address(klass):
    async def scenario(phone, lead):
        return await phone.get(f"/lecture?key={SECRET}")

    answer = klass.visit(scenario)
    assert (answer.status_code, answer.headers["location"]) == (303, "/lecture")
    assert "HttpOnly" in answer.headers["set-cookie"]


@cases(
    ("body", "status"),
    [
        (b"x" * 2000, 413),
        (b"[" * 1000, 400),
        (b'"text"', 400),
        (json.dumps({"number": 1, "bet": "<script>alert(1)</script>"}).encode(), 400),
    ],
)
@pytest.mark.usefixtures("klass")
def test_hostile_bodies_are_refused_and_leave_no_bet(body, status):
    async def scenario(phone, lead):
        me = await join(phone)
        await lead.post("/class/ask", json={"question": KEPT})
        found = await phone.post("/class/bet", content=body, headers={"Class-Id": me["id"]})
        return found.status_code, (await lead.get("/class/projector")).json()["bets"]

    assert Klass().visit(scenario) == (status, [])


def test_flooding_phone_is_refused_and_others_are_not(klass):
    async def scenario(phone, lead):
        one, other = await join(phone), await join(phone)
        flood = [(await phone.get("/class/phone", headers={"Class-Id": one["id"]})).status_code
                 for _ in range(30)]  # fmt: skip
        calm = await phone.get("/class/phone", headers={"Class-Id": other["id"]})
        return flood[-1], calm.status_code

    assert klass.visit(scenario) == (429, 200)


def test_flood_of_joins_is_refused(klass, monkeypatch):
    monkeypatch.setattr(klass.routes, "_joins", routes.Askers(1.0, 3.0, 1))

    async def scenario(phone, lead):
        return [(await phone.post("/class/join", json={})).status_code for _ in range(9)]

    assert klass.visit(scenario)[-1] == 429
    assert len(klass.routes.room.members) < 9


def test_flood_of_joins_does_not_shut_out_a_phone(klass, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(routes, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def scenario(phone, lead):
        flood = [(await phone.post("/class/join", json={})).status_code for _ in range(400)]
        now[0] += 6.0
        same = (await phone.post("/class/join", json={})).json()  # behind a proxy
        here = await phone.get("/class/phone", headers={"Class-Id": same["id"]})
        return flood, here.json()["phase"], (await lead.get("/class/projector")).json()["people"]

    flood, phase, people = klass.visit(scenario)
    assert (flood.count(200), flood.count(429)) == (120, 280)
    assert (phase, people) == ("waiting", 1)


def test_phone_keeps_its_name_after_a_server_restart(klass):
    async def scenario(phone, lead):
        for _ in range(3):
            me = await join(phone)
        klass.routes.room.reset()
        gone = await phone.get("/class/phone", headers={"Class-Id": me["id"]})
        again = await phone.post("/class/join", json={"place": me["place"]})
        return gone.status_code, again.json()["name"] == me["name"]

    assert klass.visit(scenario) == (403, True)


def test_curve_of_a_run_is_revealed(klass):
    async def scenario(phone, lead):
        headers = {"Class-Id": (await join(phone))["id"]}
        curve = {"words": "Draw.", "kind": "curve", "unit": "%", "marks": [6, 8, 12], "high": 100}
        await lead.post("/class/ask", json={"question": curve})
        body = {"number": 1, "bet": [60, 90, 95]}
        await phone.post("/class/bet", json=body, headers=headers)
        await lead.post("/class/reveal", json={"answer": [66.7, 66.7, 100], "found": "This run."})
        return (await phone.get("/class/phone", headers=headers)).json()

    shown = klass.visit(scenario)
    assert (shown["phase"], shown["right"]) == ("revealed", True)


def test_question_of_a_lesson_hides_its_answers(klass):
    async def scenario(phone, lead):
        await lead.post("/class/shown", json={"lesson": "3"})
        await lead.post("/class/ask", json={"lesson": "3"})
        shown = (await lead.get("/class/projector")).json()
        noted = (await lead.get("/class/notes")).json()
        await lead.post("/class/reveal", json={})
        return shown, noted, (await lead.get("/class/projector")).json()

    shown, noted, revealed = klass.visit(scenario)
    assert noted["asks"] == shown["question"]["words"]
    assert shown["question"]["choices"] == ["kept", "reverted"]
    assert "seeds" not in shown
    assert noted["found"] in revealed["found"] != ""
    assert (noted["title"], len(revealed["seeds"])) == ("Redraw only one", 100)


def test_plan_visits_its_stops_in_order_and_ends_with_closing_words(klass):
    async def scenario(phone, lead):
        async def notes():
            found = (await lead.get("/class/notes")).json()
            return found["stop"], found["next"], found.get("after", "")

        before = await notes()
        await lead.get("/lecture?plan=10")
        seen = [before, await notes()]
        await lead.post("/class/shown", json={"lesson": "3", "watched": "1"})
        await lead.post("/class/dismiss", json={"lesson": "4"})
        coming = (await lead.get("/class/notes")).json()
        # lesson 4 is not yet watched
        assert (coming["stop"], coming["shown"]) == ("4", {"lesson": "4"})
        await lead.post("/class/search", json={"lesson": "4"})
        seen.append(await notes())
        await lead.post("/class/end")
        seen.append(await notes())
        return seen

    before, start, search, end = klass.visit(scenario)
    assert (before[:2], start[:2]) == (("", ""), ("join", "1"))
    assert search[:2] == ("search", "")
    assert end[0] == "end" and end[2].startswith("Nobody chose the seeds.")


def test_restarted_server_takes_the_plan_of_the_projector(klass):
    async def scenario(phone, lead):
        plans = []
        for plan in ("no plan", "10", "45"):
            shown = {"lesson": "1", "watched": "1", "plan": plan}
            await lead.post("/class/shown", json=shown)
            found = (await lead.get("/class/notes")).json()
            plans.append((found["plan"], found["next"]))
        return plans

    assert klass.visit(scenario) == [("", ""), ("10", "3"), ("10", "3")]


def test_qr_code_is_made_only_for_the_address_of_phones(klass):
    async def scenario(phone, lead):
        good = await lead.get("/class/code.svg?of=http://10.0.0.7:8501/join")
        bad = await lead.get("/class/code.svg?of=javascript:alert(1)/join")
        return good, bad.status_code

    good, bad = klass.visit(scenario)
    assert good.headers["content-type"] == "image/svg+xml" and b"<path" in good.content
    assert bad == 400


def test_second_poll_of_a_phone_ends_the_first(klass, monkeypatch):
    monkeypatch.setattr(changes, "SECONDS", 60.0)

    async def scenario(phone, lead):
        me = await join(phone)
        there, headers = f"/class/phone?since={me['mark']}", {"Class-Id": me["id"]}
        first = asyncio.create_task(phone.get(there, headers=headers))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(phone.get(there, headers=headers))
        answer = await asyncio.wait_for(first, 10)
        assert len(klass.routes._phones) == 1
        second.cancel()
        return answer.status_code

    assert klass.visit(scenario) == 204


def test_server_runs_the_search_of_a_phone_without_webassembly(klass):
    async def scenario(phone, lead):
        headers = {"Class-Id": (await join(phone))["id"]}
        await lead.post("/class/search", json={"lesson": "9"})
        engine = (await phone.get("/class/engine", headers=headers)).json()
        sent = {"k1": 1, "m1": 100}
        found = await phone.post("/class/compute", json=sent, headers=headers)
        shown = (await lead.get("/class/projector")).json()
        return engine, found.json(), shown["experiment"]

    engine, phone, experiment = klass.visit(scenario)
    assert engine["kernels"] and engine["variables"] == 10
    assert phone["result"] == experiment["results"][0][1:]
    assert experiment["summary"]["n"] == 1
