"""Request limits work in the token buckets alone, and as middleware of an app."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from cases import cases

import prviz
from prviz.player.live import LiveRun
from prviz.player.resources import store
from prviz.scenes.landscape import LandscapeScene
from prviz.ui.serve import limits, session
from prviz.ui.serve.limits import Askers, Limits

FRAMES = "/player/runs/one/frames"
UPLOAD = "/_stcore/upload_file/tab/file"


def test_bucket_allows_a_burst_and_then_limits_the_rate():
    askers = Askers(rate=10.0, burst=3.0, at_once=9)
    assert [askers.take("a", 0.0) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert [askers.take("a", 0.0) for _ in range(2)] == pytest.approx([0.1, 0.2])
    assert askers.take("b", 0.0) == 0.0  # other viewers are not delayed
    assert askers.take("a", 0.3) == 0.0  # 0.3 s later, after the two delayed requests
    assert askers.take("a", 0.3) == pytest.approx(0.1)


def test_pause_refills_the_bucket_to_a_whole_burst():
    askers = Askers(rate=10.0, burst=3.0, at_once=9)
    for _ in range(3):
        askers.take("a", 0.0)
    assert [askers.take("a", 1000.0) > 0 for _ in range(4)] == [False, False, False, True]


def test_least_recent_client_is_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "MOST_ASKERS", 2)
    askers = Askers(rate=1.0, burst=1.0, at_once=1)
    for name in "abc":
        askers.take(name, 0.0)
    assert askers.take("b", 0.0) == 1.0
    assert askers.take("a", 0.0) == 0.0


def apart(visit):
    """Run a coroutine in a new thread, because browser tests leave an event loop in this one."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, visit).result()


class Visit:
    """Send requests to an app that answers 200 after ``let_go`` is set."""

    def __init__(self, held=(0, 0)):
        self.reached, self.waited = 0, []
        self.let_go = asyncio.Event()
        self.limits = Limits(self.app, held=lambda tab: held)

    async def app(self, scope, receive, send):
        self.reached += 1
        await self.let_go.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    async def ask(self, path=FRAMES, method="GET"):
        sent = []

        async def send(message):
            sent.append(message)

        await self.limits({"type": "http", "path": path, "method": method}, None, send)
        return sent[0]["status"], json.loads(sent[1]["body"])

    async def together(self, n, *args):
        """Send n requests at once, and let the app answer when all have arrived."""
        asked = [asyncio.ensure_future(self.ask(*args)) for _ in range(n)]
        for _ in range(5):
            await REAL_SLEEP(0)
        self.let_go.set()
        return await asyncio.gather(*asked)


REAL_SLEEP = asyncio.sleep


@pytest.fixture
def waited(monkeypatch):
    """Record the seconds that requests wait, without waiting."""
    waited = []

    async def sleep(seconds):
        waited.append(seconds)
        await REAL_SLEEP(0)

    monkeypatch.setattr(limits.asyncio, "sleep", sleep)
    monkeypatch.setattr(limits.time, "monotonic", lambda: 0.0)
    return waited


@cases(
    ("asked", "most"),
    [
        ((FRAMES,), limits.RUN_AT_ONCE),
        (("/lab/prviz" + FRAMES,), limits.RUN_AT_ONCE),
        ((UPLOAD, "PUT"), limits.UPLOADS_AT_ONCE),
        (("/player/runs/recorded-home/frames",), limits.CLASS * limits.RUN_AT_ONCE),
    ],
)
def test_too_many_concurrent_requests_are_rejected(asked, most):
    async def visit():
        visit = Visit()
        answers = await visit.together(most + 3, *asked)
        return visit, answers, await visit.ask(*asked)

    visited, answers, afterwards = apart(visit())
    assert visited.reached == most + 1
    assert [status for status, _ in answers].count(200) == most
    assert (429, {"message": "Too many requests. Please wait a moment."}) in answers
    assert afterwards[0] == 200  # accepted as soon as the others have ended


@cases(
    ("asked", "burst", "pause"),
    [((FRAMES,), limits.RUN_BURST, 0.01), ((UPLOAD, "PUT"), limits.UPLOAD_BURST, 6.0)],
)
def test_frequent_requests_are_delayed(waited, asked, burst, pause):
    waited.clear()

    async def visit():
        visit = Visit()
        visit.let_go.set()
        return [(await visit.ask(*asked))[0] for _ in range(int(burst) + 2)]

    assert set(apart(visit())) == {200}
    assert set(waited[:-2]) == {0.0}
    assert waited[-2:] == pytest.approx([pause, 2 * pause])


@cases(
    ("held", "sentence"),
    [
        ((limits.MOST_HELD_A_TAB, limits.MOST_HELD_A_TAB), "This tab has reached its upload limit"),
        ((0, limits.MOST_HELD), "The server has reached its upload limit"),
    ],
)
def test_uploads_are_limited(held, sentence):
    async def visit():
        visit = Visit(held)
        visit.let_go.set()
        upload = await visit.ask(UPLOAD, "PUT")
        return upload, await visit.ask(UPLOAD, "DELETE"), await visit.ask(FRAMES)

    (status, said), removed, frames = apart(visit())
    assert (status, removed[0], frames[0]) == (429, 200, 200)
    assert said["message"].startswith(sentence)


def test_requests_for_files_are_not_limited(waited):
    async def visit():
        visit = Visit()
        answers = await visit.together(300, "/player/static/player.js")
        return {status for status, _ in answers}

    assert apart(visit()) == {200}
    assert waited == []


@pytest.mark.usefixtures("quiet_engine")
def test_tab_keeps_only_a_few_runs(monkeypatch):
    monkeypatch.setattr(session, "ids_of_runs", dict)
    problem = prviz.landscape(1)
    tab, ids = session.Tab(), []
    for number in range(40):
        run = LiveRun(problem, LandscapeScene(problem), [prviz.Level(1)], seed=number)
        ids.append(run.id)
        tab.take("home", run, start=False)
    del run
    assert [run_id for run_id in ids if store.find(run_id)] == ids[-1 - session.MOST_REPLACED :]
