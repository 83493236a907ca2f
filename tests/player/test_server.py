"""The player's routes answer HTTP requests for a handmade run."""

import asyncio
import gzip
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from cases import cases
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware

from prviz.code.script import Part, Script
from prviz.player.pictures.protocols import Drawing, Superseded
from prviz.player.resources.store import RUNS
from prviz.ui.serve import server


class Run:
    """A run that answers at once and records the requests."""

    watched, nbytes = 0.0, 0  # attributes that the run storage reads

    def __init__(self):
        self.state = "ready"
        self.calls = 4
        self.asked = []
        self.id = "id"
        self.followed_by = None
        self.compiled = True

    def kernels_ready(self):
        return self.compiled

    def successor(self, seconds):
        assert seconds < 5
        return self.followed_by

    def layout(self):
        return {"title": "by hand", "assets": ["points"], "lazy": ["distances"]}

    def asset(self, name):
        return f"asset {name}".encode()

    def opening(self, patience=-1):
        self.asked.append("opening")
        self.calls = max(self.calls, 1)
        return b"first frame"

    def frames(self, call, count):
        self.asked.append((call, count))
        return b"frame " * 200

    def keyframes(self, since):
        return 3, b"key" * since

    def progress(self, since):
        return {"state": self.state, "calls": self.calls}, bytes([1, 2, 3, 10])[since : self.calls]

    def curve(self):
        return {"data": [], "layout": {"title": "curve"}}

    def full(self):
        return {"calls": 4, "bests": 1}, b"\nframe"

    def start(self):
        self.state = "running"

    def stop(self):
        self.state = "stopped"

    def close(self):
        self.state = "closed"

    def trace_hash(self):
        return "1a2b"

    def trace_csv(self):
        return "call,cost\n1,2.5\n"

    def best_csv(self, name):
        return f"{name},x\n0,1.5\n"

    def trace_json(self):
        return '{"calls": 1}'

    def script(self):
        return Script("By hand: seed 0", [Part("Two.", "x = 2")], "x", "x")

    def replay(self, calls):
        if calls[0] > 4:
            raise ValueError("The run has 4 calls.")
        return f"<!doctype html>{calls}"

    def live_page(self):
        return "<!doctype html>live"


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def message(self):
        return json.loads(self.body)["message"]


@pytest.fixture
def run(monkeypatch):
    made = Run()
    monkeypatch.setitem(RUNS, "id", made)
    return made


def ask(address, method="GET", body=b"", **headers):
    """Send one request to the routes, behind gzip middleware as in Streamlit."""
    with ThreadPoolExecutor(1) as other:  # the browser tests leave an event loop in this thread
        return other.submit(lambda: asyncio.run(_ask(address, method, body, headers))).result()


async def _ask(address, method, body, headers):
    app = GZipMiddleware(Starlette(routes=server.routes()), minimum_size=500)
    path, query = urlsplit(address)[2:4]
    sent = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    head = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], head, b"".join(part.get("body", b"") for part in sent[1:]))


def test_results_are_sent_as_json_and_bytes(run):
    assert json.loads(ask("/player/runs/id/curve").body) == run.curve()
    head, frames = ask("/player/runs/id/full").body.split(b"\n", 1)
    assert (json.loads(head), frames) == run.full()
    head, outcomes = ask("/player/runs/id/progress?since=1").body.split(b"\n", 1)
    assert (json.loads(head), outcomes) == ({"state": "ready", "calls": 4}, bytes([2, 3, 10]))
    answer = ask("/player/runs/id/keyframes?since=2")
    assert (answer.headers["generation"], answer.body) == ("3", b"keykey")


def test_opening_response_has_layout_and_head_and_outcomes_and_first_call(run):
    about, rest = ask("/player/runs/id/opening").body.split(b"\n", 1)
    about = json.loads(about)
    assert (about["run"], about["layout"]) == ("id", run.layout())
    assert about["head"] == {"state": "ready", "calls": 4}
    assert (about["outcomes"], rest) == (4, bytes([1, 2, 3, 10]) + b"first frame")


def test_request_body_reaches_the_run_if_small_enough(run):
    def redraw(text):
        if text == "late":
            raise Superseded
        run.asked.append(text)
        return run

    assert ask("/player/runs/id/redraw", "POST", b"points").status == 400
    run.drawing = Drawing("", "", redraw)
    assert ask("/player/runs/id/redraw", "POST", b"points").status == 200
    assert "points" in run.asked
    late = ask("/player/runs/id/redraw", "POST", b"late")
    assert (late.status, late.message) == (409, "A newer drawing exists.")
    most = server.MOST_SENT
    assert ask("/player/runs/id/redraw", "POST", b"a" * most).status == 200
    much = ask("/player/runs/id/redraw", "POST", b"a" * (most + 1))
    assert (much.status, much.message) == (413, server.TOO_LONG)
    assert [len(text) for text in run.asked if text[0] == "a"] == [most]
    assert ask("/player/runs/id/redraw").status == 405


def test_asset_has_an_etag(run):
    def tags():
        return json.loads(ask("/player/runs/id/opening").body.split(b"\n")[0])["tags"]

    before = tags()
    assert before.keys() == {"points"}
    assert before == tags()
    run.asset = lambda name: b"other points"
    assert before != tags()


def test_next_run_is_described_once_it_exists(run):
    assert ask("/player/runs/id/next").status == 204
    run.followed_by = Run()
    run.followed_by.id = "the next"
    about = json.loads(ask("/player/runs/id/next").body.split(b"\n")[0])
    assert about["run"] == "the next"


def test_frames_are_never_cached_and_are_compressed_on_request(run):
    answer = ask("/player/runs/id/frames?call=7&count=32")
    assert (answer.status, answer.body, run.asked) == (200, b"frame " * 200, [(7, 32)])
    assert answer.headers["content-type"] == "application/vector-stream"
    assert answer.headers["content-encoding"] == "identity"
    assert answer.headers["cache-control"] == "no-store"
    packed = ask("/player/runs/id/frames?call=7&count=32", accept_encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == answer.body
    assert len(packed.body) < 100


def test_prepared_run_is_visible_after_its_first_call(run):
    run.calls = 0
    assert json.loads(ask("/player/runs/id/progress?since=0").body.split(b"\n")[0])["calls"] == 1
    assert run.asked == ["opening"]


def test_progress_is_answered_while_kernels_are_compiled(run):
    run.compiled = False
    run.calls = 0
    assert ask("/player/runs/id/progress?since=0").status == 200
    assert run.asked == []


def test_only_assets_of_the_layout_are_served(run):
    assert ask("/player/runs/id/assets/points").body == b"asset points"
    assert ask("/player/runs/id/assets/distances").body == b"asset distances"
    answer = ask("/player/runs/id/assets/other")
    assert (answer.status, answer.message) == (404, "Unknown asset of this run.")


def test_start_and_stop_requests_reach_the_run(run):
    assert json.loads(ask("/player/runs/id/start", "POST").body) == {"state": "running"}
    assert json.loads(ask("/player/runs/id/stop", "POST").body) == {"state": "stopped"}
    assert ask("/player/runs/id/start").status == 405
    assert run.state == "stopped"


def test_stop_of_a_race_is_answered_once_the_race_has_stopped(run):
    run.wait = lambda seconds: run.asked.append(seconds)
    answer = ask("/player/many/id/stop", "POST")
    assert json.loads(answer.body) == {"state": "stopped"} and run.asked == [0.25]


@cases(
    ("path", "kind", "name", "body"),
    [
        ("trace.csv", "text/csv", "prviz-trace-1a2b.csv", "call,cost\n1,2.5\n"),
        ("best/centres", "text/csv", "prviz-centres-1a2b.csv", "centres,x\n0,1.5\n"),
        ("trace.json", "application/json", "prviz-trace-1a2b.json", '{"calls": 1}'),
        ("replay.html", "text/html", "prviz-replay.html", "<!doctype html>[1]"),
        ("live.html", "text/html", "prviz-live.html", "<!doctype html>live"),
        ("replay.html?calls=2,30", "text/html", "prviz-replay.html", "<!doctype html>[2, 30]"),
    ],
)
def test_downloads_have_a_name(run, path, kind, name, body):
    answer = ask(f"/player/runs/id/{path}")
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.body.decode() == body


@cases("kind", ["runs", "many"])
def test_script_response_has_a_program_and_a_notebook(run, kind):
    made = json.loads(ask(f"/player/{kind}/id/script").body)
    assert made["name"] == "prviz-by-hand-seed-0"
    assert "# Two.\nx = 2\n" in made["python"]
    assert json.loads(made["notebook"])["nbformat"] == 4


def test_slow_runs_do_not_block_pages(run):
    go_on = threading.Event()
    run.frames = lambda call, count: go_on.wait(60) and b"frame"

    async def crowd():
        slow = [
            asyncio.ensure_future(_ask("/player/runs/id/frames?call=1&count=1", "GET", b"", {}))
            for _ in range(60)  # more requests than Starlette has threads
        ]
        await asyncio.sleep(0.1)
        page = await asyncio.wait_for(_ask("/kmeans", "GET", b"", {}), 20)
        go_on.set()
        return page, await asyncio.gather(*slow)

    with ThreadPoolExecutor(1) as other:
        page, slow = other.submit(lambda: asyncio.run(crowd())).result()
    assert page.status == 200
    assert {answer.body for answer in slow} == {b"frame"}


@cases("path", ["opening", "next", "frames?call=1&count=1", "progress?since=0", "trace.csv"])
def test_unknown_run_is_404_with_a_message(run, path):
    answer = ask(f"/player/runs/other/{path}")
    assert answer.status == 404
    assert answer.message == "This run has expired. Reload the page."


@cases(
    ("path", "message"),
    [
        ("frames?count=1", "The query needs call, a whole number from 1 to 4294967295."),
        ("frames?call=0&count=1", "call must be a whole number from 1 to 4294967295."),
        ("frames?call=-1&count=1", "call must be a whole number from 1 to 4294967295."),
        ("frames?call=1.5&count=1", "call must be a whole number from 1 to 4294967295."),
        ("frames?call=4294967296&count=1", "call must be a whole number from 1 to 4294967295."),
        ("frames?call=1&count=65", "count must be a whole number from 1 to 64."),
        ("frames?call=1&count=%D9%A3", "count must be a whole number from 1 to 64."),
        ("frames?call=1&count=" + "9" * 5000, "count must be a whole number from 1 to 64."),
        ("progress?since=x", "since must be a whole number from 0 to 4294967295."),
        ("keyframes", "The query needs since, a whole number from 0 to 4294967295."),
        ("replay.html?calls=5", "The run has 4 calls."),
        ("replay.html?calls=2,1", "calls must be at most 200 numbers, ascending."),
        ("replay.html?calls=0,1", "calls must be at most 200 numbers, ascending."),
        ("replay.html?calls=1,x", "calls must be at most 200 numbers, ascending."),
        ("replay.html?calls=", "calls must be at most 200 numbers, ascending."),
    ],
)
def test_invalid_query_is_answered_with_status_400_and_a_message(run, path, message):
    answer = ask(f"/player/runs/id/{path}")
    assert (answer.status, answer.message) == (400, message)
    assert run.asked == []


def test_script_is_cached_only_under_its_version():
    versioned = ask(f"/player/static/player.js?v={server.static_version()}")
    assert versioned.headers["content-type"].startswith("text/javascript")
    assert "immutable" in versioned.headers["cache-control"]
    assert b"export const {" in versioned.body
    for query in ("", "?v=", "?v=0"):
        assert ask(f"/player/static/player.js{query}").headers["cache-control"] == "no-cache"


def test_scripts_are_compressed_once_and_have_etags():
    plain = ask("/player/static/plotly.min.js")
    packed = ask("/player/static/plotly.min.js", accept_encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < len(plain.body) / 2
    assert gzip.decompress(packed.body) == plain.body
    again = ask("/player/static/plotly.min.js", if_none_match=plain.headers["etag"])
    assert (again.status, again.body) == (304, b"")


@cases(
    "name",
    ["other.js", "..", "../live.py", "..%2flive.py", "%2e%2e%2flive.py", "/etc/passwd", "", "."],
)
def test_other_files_are_not_served(name):
    assert ask(f"/player/static/{name}").status == 404


@cases(
    ("former", "status", "page"),
    [
        ("/home?k1=3", 307, "/"),
        ("/hidden_markov", 301, "/hmm"),
        ("/hidden_markov?v=1&k1=3", 301, "/hmm?v=1&k1=3"),
        ("/boltzmann?v=1", 301, "/rbm?v=1"),
    ],
)
def test_former_addresses_are_redirected(former, status, page):
    answer = ask(former)
    assert (answer.status, answer.headers["location"]) == (status, page)


@cases("address", ["/", "/kmeans?k1=3"])
def test_page_contains_the_server_address(address):
    answer = ask(address)
    assert answer.headers["content-type"].startswith("text/html")
    assert b"<head><script>window.__streamlit={BACKEND_BASE_URL:location.origin+'/'}" in answer.body


def test_routes_follow_the_base_path(monkeypatch):
    monkeypatch.setattr(server.config, "get_option", lambda name: "/lab/prviz/")
    assert server.base_path() == "/lab/prviz/"
    assert ask("/lab/prviz/player/static/player.js").status == 200
    assert ask("/player/static/player.js").status == 404


def test_only_card_pictures_are_served():
    found = ask("/player/pictures/kmeans-light.webp")
    assert (found.status, found.headers["content-type"]) == (200, "image/webp")
    assert found.body == (server.PICTURES / "kmeans-light.webp").read_bytes()
    assert found.headers["cache-control"] == "no-cache"
    version = server.picture_version("kmeans-light.webp")
    versioned = ask(f"/player/pictures/kmeans-light.webp?v={version}")
    assert "immutable" in versioned.headers["cache-control"]
    for name in ("other.webp", "..%2f..%2fREADME.md", "..", "kmeans.npz"):
        assert ask(f"/player/pictures/{name}").status == 404
