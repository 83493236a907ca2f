"""The player works as a component of a page, here with a mock server."""

import json
import re
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from handmade import (
    ASSETS,
    CALLS,
    CURVE,
    FILM,
    HEAD,
    LAYOUT,
    OUTCOMES,
    film_bytes,
    press,
)
from playwright.sync_api import expect

from prviz.player.export import bundle


class Server:
    """Answer the player's requests. `calls` has the number of calls of each run."""

    def __init__(self):
        self.calls = {}
        self.states = {}
        self.posts = []
        self.next = {}
        self.told = {}  # fields that replace those of ``HEAD``
        self.lost = False  # whether frames were dropped

    def head(self, run):
        state, calls = self.states.get(run, "ready"), self.calls.get(run, 0)
        return {**HEAD, "calls": calls, "state": state, "message": "", **self.told}

    def opening(self, run):
        calls = self.calls.get(run, 0)
        layout = {**LAYOUT, "tables": {"clusters": "Points and clusters", "centres": "Centres"}}
        about = {"run": run, "layout": layout, "head": self.head(run), "outcomes": calls}
        about["tags"] = {name: name for name in ASSETS}
        frames = film_bytes(1, 1, calls) if calls else b""
        return json.dumps(about).encode() + b"\n" + OUTCOMES[:calls].tobytes() + frames

    def answer(self, route):
        address = urlsplit(route.request.url)
        query = {name: int(values[0]) for name, values in parse_qs(address.query).items()}
        if address.path == "/":
            return route.fulfill(body=PAGE, content_type="text/html")
        if address.path == "/app/player/static/player.js":
            return route.fulfill(body=bundle.served_script(), content_type="text/javascript")
        if address.path == "/app/player/static/plotly.min.js":
            return route.fulfill(body=PLOTLY, content_type="text/javascript")
        if address.path == "/app/class/lecturer":
            return route.fulfill(json={"lecturer": False})
        run, what = re.fullmatch(r"/app/player/runs/([^/]+)/(.+)", address.path).groups()
        calls = self.calls.setdefault(run, 0)
        if what == "opening":
            return route.fulfill(body=self.opening(run))
        if what == "next":
            other = self.next.get(run)
            return route.fulfill(body=self.opening(other)) if other else route.fulfill(status=204)
        if what.startswith("assets/"):
            return route.fulfill(body=ASSETS[what.removeprefix("assets/")])
        if what == "frames" and self.lost:
            self.told = {"message": "They are made again.", "remaking": True}
            return route.fulfill(body=b"")
        if what == "frames":
            return route.fulfill(body=film_bytes(query["call"], query["count"], calls))
        if what == "keyframes":
            ends = [FILM[call - 1][-1:].tobytes() for call in range(10, calls + 1, 10)]
            return route.fulfill(body=b"".join(ends[query["since"] :]), headers={"Generation": "0"})
        if what == "progress":
            outcomes = OUTCOMES[query["since"] : calls].tobytes()
            return route.fulfill(body=json.dumps(self.head(run)).encode() + b"\n" + outcomes)
        if what == "curve":
            return route.fulfill(json=CURVE)
        self.posts.append((run, what))
        self.calls[run], self.states[run] = CALLS, "finished" if what == "start" else "stopped"
        return route.fulfill(json={})


PLOTLY = """globalThis.Plotly = {
  async react(node) { node.on ??= () => {}; globalThis.reacts = (globalThis.reacts ?? 0) + 1; },
  purge() {},
};"""

PAGE = """<!doctype html><link rel="icon" href="data:,"><div id="host"></div><input id="control">
<script type="module">
const { render } = await import("/app/player/static/player.js");
globalThis.events = [];
let host = document.getElementById("host");
if (location.hash === "#shadow") host = host.attachShadow({ mode: "open" });
globalThis.render = (run, data = {}) => everyCall(render({
  parentElement: host, key: "key",
  data: { base: "/app/", run, params: { k1: "1", seed: "7" }, autoplay: false, page: "/app/kmeans",
    notice: null, ...data },
  setTriggerValue: (name, value) => events.push([name, value]),
}));
function everyCall(clean) {
  if (!globalThis.begun) theatre().playback.pace = 1;
  globalThis.begun = true;
  return clean;
}
globalThis.root = () => host.querySelector(".prviz");
globalThis.theatre = () => __prvizTheatres.get("key")?.theatre;
globalThis.ready = true;
</script>"""


@pytest.fixture
def component(watched_page):
    """Open a page with the component and the mock server."""
    server = Server()

    def open_(fragment="", **options):
        page = watched_page(**options)
        page.route("http://player.test/**", server.answer)
        page.goto(f"http://player.test/{fragment}")
        page.wait_for_function("globalThis.ready")
        return page, server

    return open_


def rendered(page, run, data=None):
    given = {"view": "lab", **(data or {})}
    page.evaluate("([run, data]) => { globalThis.clean = render(run, data); }", [run, given])


def playing(page, run):
    page.wait_for_function(
        "(run) => theatre()?.projector.source.id === run && theatre().ready"
        " && theatre().playback.frame",
        arg=run,
    )


def test_run_starts_the_search_and_plays_from_the_first_call(component):
    page, server = component("#shadow")
    rendered(page, "one")
    page.wait_for_function(
        "root().querySelector('.pv-sentence').textContent.startsWith('Press Run')"
    )
    page.get_by_role("button", name="Run", exact=True).click()
    playing(page, "one")
    assert server.posts == [("one", "start")]
    assert page.evaluate("events") == [["event", {"name": "run"}]]
    assert page.evaluate("theatre().playback.frame.call") == 1
    assert page.evaluate("theatre().playback.mode") == "playing"
    # the player has its style sheet
    assert page.evaluate("getComputedStyle(root()).containerType") == "inline-size"


def test_autoplay_starts_a_run_only_once(component):
    page, server = component()
    rendered(page, "one", {"autoplay": True})
    playing(page, "one")
    rendered(page, "one", {"autoplay": True})
    rendered(page, "two", {"autoplay": True})
    playing(page, "two")
    rendered(page, "one", {"autoplay": True})
    playing(page, "one")
    assert server.posts == [("one", "start"), ("two", "start")]


def test_changed_control_shows_the_next_run_before_the_page_update(component):
    page, server = component()
    for run, calls in (("one", CALLS), ("two", 9), ("three", 8), ("four", 7)):
        server.calls[run], server.states[run] = calls, "finished"
    rendered(page, "one")
    playing(page, "one")
    server.next["one"] = "two"
    page.locator("#control").press("ArrowRight")
    playing(page, "two")
    rendered(page, "one")  # a late update of the page, for the previous run
    assert page.evaluate("theatre().projector.source.id") == "two"
    rendered(page, "two", {"notice": "fresh run", "params": {"k1": "2"}})
    assert page.get_by_role("status").inner_text() == "fresh run"
    assert page.evaluate("[theatre().params.k1, theatre().projector.engine.calls]") == ["2", 9]
    page.locator("#control").press("ArrowRight")  # run "two" has no next run
    rendered(page, "three")
    playing(page, "three")

    # the curve is grey until the page answers
    page.evaluate("""() => {
        const control = document.getElementById("control"), sidebar = document.createElement("div");
        sidebar.dataset.testid = "stSidebar";
        control.replaceWith(sidebar);
        sidebar.append(control);
        document.body.dataset.testScriptState = "running";
    }""")
    curve = page.locator(".pv-curve")
    expect(curve).to_have_css("opacity", "1")
    page.locator("#control").press("ArrowRight")
    expect(curve).to_have_css("opacity", "0.3")
    rendered(page, "four")
    expect(curve).to_have_css("opacity", "1")


def test_second_render_keeps_nodes_and_a_new_run_keeps_canvas_and_zoom_and_speed(component):
    page, _ = component()
    rendered(page, "one", {"autoplay": True})
    playing(page, "one")
    page.evaluate("globalThis.nodes = [...root().querySelectorAll('*')]")
    page.evaluate("clean()")
    rendered(page, "one", {"params": {"k1": "2"}})
    # wait longer than the delay of the clean-up
    page.evaluate("new Promise((done) => setTimeout(done, 500))")
    assert page.evaluate("nodes.every((node) => node.isConnected)")
    assert page.evaluate("__prvizTheatres.size") == 1
    assert page.evaluate("theatre().params.k1") == "2"

    press(page, "4")
    page.evaluate(
        """() => {
          theatre().scene.view.zoomAt(2, 100, 100);
          globalThis.canvas = root().querySelector(".pv-canvas");
          globalThis.drawn = [];
          const scene = theatre().scene, draw = scene.draw;
          scene.draw = function (moment) {
            draw.call(this, moment);
            drawn.push(this.layers.length > 0 && Boolean(this.moment?.after));
          };
        }"""
    )
    rendered(page, "two", {"autoplay": True, "notice": "k₁ is now 2: new run."})
    playing(page, "two")
    assert page.get_by_role("status").inner_text() == "k₁ is now 2: new run."
    page.wait_for_function("drawn.length > 10")
    assert page.evaluate("canvas === root().querySelector('.pv-canvas')")
    assert page.evaluate("drawn.every(Boolean)")
    assert page.evaluate("theatre().scene.view.zoom") == 2
    assert page.evaluate("theatre().playback.pace") == 2


def test_player_ends_and_stores_the_playhead_when_its_host_is_removed(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    rendered(page, "one")
    playing(page, "one")
    press(page, "p")
    page.wait_for_function("theatre().playback.frame.call === 297")
    page.evaluate("theatre().presenter.toggle(true)")
    assert page.evaluate("getComputedStyle(document.body).visibility") == "hidden"
    page.evaluate("document.getElementById('host').remove(); clean()")
    page.wait_for_function("__prvizTheatres.size === 0")
    assert page.evaluate("getComputedStyle(document.body).visibility") == "visible"
    page.evaluate(
        """() => {
          const again = Object.assign(document.createElement("div"), {id: "host"});
          document.body.append(again);
          const { render } = globalThis;
          return import("/app/player/static/player.js").then((player) => player.render({
            parentElement: again, key: "key",
            data: {base: "/app/", run: "one", params: {}, autoplay: true, page: "/", notice: null},
          }));
        }"""
    )
    playing(page, "one")
    assert page.evaluate("theatre().playback.frame.call") == 297
    assert server.posts == []


def test_a_link_can_be_copied(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    own = {"k1": "1", "seed": "7", "levels": "2x7,9x3a0.5,50", "text": "to be & that = 100 %?"}
    rendered(page, "one", {"params": own})
    playing(page, "one")
    page.get_by_role("button", name="Take away").click()
    items = page.get_by_role("menuitem")
    assert items.all_inner_texts() == [
        "Copy link", "Open as code", "Points and clusters (CSV)", "Centres (CSV)", "Trace (CSV)",
        "Trace (JSON)", "Figure (PNG, SVG, PDF)", "Film (GIF, video)", "Replay (HTML)",
    ]  # fmt: skip
    of_run = "http://player.test/app/player/runs/one/"
    assert items.nth(3).get_attribute("href") == f"{of_run}best/centres"
    assert items.nth(4).get_attribute("href") == f"{of_run}trace.csv"
    page.evaluate(
        """Object.defineProperty(navigator, "clipboard",
          {value: {writeText: async (text) => { globalThis.copied = text; }}})"""
    )
    items.first.click()
    page.wait_for_function("globalThis.copied")
    address, query = page.evaluate("copied").split("?", 1)
    assert address == "http://player.test/app/kmeans"
    assert dict(parse_qsl(query, strict_parsing=True)) == {**own, "call": "300", "look": "lab"}
    assert page.get_by_role("status").inner_text() == "Link copied."


def test_link_opens_at_its_call_and_its_trace_is_compared(component):
    page, server = component()
    server.told = {"hash": "00c0ffee00c0ffee"}
    params = {"call": "120", "calls": "300", "trace": "00c0ffee00c0ffee"}
    rendered(page, "one", {"autoplay": True, "params": params})
    playing(page, "one")
    assert page.evaluate("theatre().playback.frame.call") == 120
    assert page.evaluate("theatre().playback.mode") == "paused"
    said = page.get_by_role("status")
    expect(said).to_have_text("This run equals the linked run: trace 00c0ffee00c0ffee.")


def test_run_button_is_blocked_by_invalid_values_but_works_during_a_request(component):
    page, server = component()
    server.calls["one"] = 1
    broken = "Sizes must grow from level to level: k_2 = 5 follows 10."
    rendered(page, "one", {"hindered": broken})
    playing(page, "one")
    button = page.get_by_role("button", name="Run", exact=True)
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    expect(page.get_by_role("status")).to_have_text(broken)
    assert server.posts == []
    rendered(page, "one", {"hindered": ""})
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()
    page.wait_for_function("theatre().projector.engine.calls === 300")
    assert server.posts == [("one", "start")]

    held = []
    page.route("**/runs/two/opening", lambda route: held.append(route))
    with page.expect_request("**/runs/two/opening"):
        rendered(page, "two")
    button.click()
    held[0].fulfill(body=server.opening("two"))
    playing(page, "two")
    assert page.evaluate("theatre().playback.mode") == "playing"
    assert server.posts == [("one", "start"), ("two", "start")]


def test_clicker_starts_the_search_in_presentation_mode(component):
    page, server = component()
    rendered(page, "one")
    page.wait_for_function("theatre()?.projector")
    page.evaluate("theatre().presenter.toggle(true)")
    page.keyboard.press("PageDown")
    playing(page, "one")
    assert server.posts == [("one", "start")]


def test_playback_waits_for_a_slow_search_and_follow_mode_shows_its_newest_call(component):
    page, server = component()
    server.calls["one"], server.states["one"] = 1, "running"
    rendered(page, "one")
    playing(page, "one")
    page.evaluate("theatre().playback.pace = 8")
    page.wait_for_function("theatre().playback.rest <= 0")
    assert page.evaluate("theatre().playback.mode") == "playing"
    server.calls["one"] = 3
    page.wait_for_function("theatre().playback.frame.call === 3")

    server.calls["one"] = 50
    press(page, "l")
    page.wait_for_function(
        "theatre().playback.mode === 'live' && theatre().playback.frame.call === 50"
    )
    server.calls["one"] = 200
    page.wait_for_function("theatre().playback.frame.call === 200")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_function("theatre().playback.mode === 'paused'")
    assert server.posts == [("one", "stop")]
    assert page.get_by_role("button", name="Run", exact=True).is_visible()


def test_messages_of_a_waiting_search_and_of_dropped_frames_are_shown(component):
    page, server = component()
    server.calls["one"], server.states["one"] = 3, "waiting"
    server.told = {"message": "2 runs are ahead of this one."}
    rendered(page, "one")
    playing(page, "one")
    notice = page.locator(".pv-notice")
    expect(notice).to_have_text("2 runs are ahead of this one.")
    expect(notice).to_be_visible()
    server.told = {"message": "This run is next."}
    expect(notice).to_have_text("This run is next.")
    server.calls["one"], server.states["one"], server.told = CALLS, "finished", {}
    expect(notice).to_be_hidden()
    page.wait_for_function(f"theatre().projector.engine.calls === {CALLS}")

    server.lost = True
    page.evaluate("theatre().playback.seek(150, 'end'); theatre().wake()")
    expect(notice).to_have_text("They are made again.")
    server.lost, server.told = False, {}
    page.wait_for_function("theatre().playback.frame?.call === 150")
    expect(notice).to_be_hidden()


def test_scrubbing_shows_the_nearest_keyframe_until_the_call_arrives(component):
    page, server = component()
    server.calls["one"], server.states["one"] = CALLS, "finished"
    rendered(page, "one")
    playing(page, "one")
    assert page.evaluate("theatre().projector.keyframes.found.length") == 0
    page.locator(".pv-track").hover()
    page.wait_for_function("theatre().projector.keyframes.found.length === 30")
    page.evaluate("theatre().timeline.act.hold(true); theatre().timeline.act.scrub(118, false)")
    assert page.evaluate("theatre().playback.frame.call") == 120
    page.evaluate("theatre().timeline.act.scrub(118, true)")
    page.wait_for_function("theatre().playback.frame.call === 118")
