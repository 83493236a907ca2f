"""The course works as a static site in a browser."""

import contextlib
import functools
import http.server
import re
import threading

import pytest
from playwright.sync_api import expect
from test_accessible import COLOURS, grave

import prviz
from prviz.engine.schedule import Level
from prviz.lessons.pinned import load
from prviz.lessons.reading import read
from prviz.shipped import shipped
from prviz.site import write_site
from prviz.ui.benchmarks import ising

MOST_BYTES = 3_000_000
SHOWN = "() => globalThis.livePage?.theatre.playback.frame"
HEAD = "livePage.theatre.projector?.engine.head"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def address(site):
    """Serve the folder as ``python -m http.server`` does; return its address."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("localhost", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def page(watched_page):
    return watched_page()


def test_site_is_below_its_size_limit(site):
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < MOST_BYTES


def test_site_links_resolve_and_texts_name_only_controls_of_the_site(site):
    for page in site.glob("*.html"):
        text = page.read_text("utf-8")
        links = re.findall(r'(?:href|src|srcset)="([^"]+)"', text)
        own = {link.split("?")[0].split("#")[0] for link in links if "//" not in link}
        assert {name for name in own - {""} if not (site / name).is_file()} == set(), page.name
        assert "<em>Compare with affinity propagation</em>" not in text, page.name
        for preset in re.findall(r"preset <em>(.+?)</em>", text):
            assert f'"{preset}": {{' in text, (page.name, preset)


def test_first_lesson_needs_no_script(site):
    lesson = read(shipped("lessons", "1-stuck.toml"))
    text = (site / "learn.html").read_text("utf-8")
    assert f"<h1>{lesson.title}</h1>" in text and lesson.text.split(".")[0] in text


def test_site_page_from_a_disk_searches_as_python_does(site, page):
    page.goto(f"{(site / 'ising.html').as_uri()}?seed=3&k1=5&hide=m2&lock=m1")
    page.wait_for_function(SHOWN)
    expect(page.get_by_role("textbox", name="M₂")).to_be_hidden()
    expect(page.get_by_role("textbox", name="M₁")).to_be_disabled()
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function(f"() => {HEAD}?.state === 'finished'")
    problem, _ = ising.problem(dict(ising.BENCHMARK.defaults))
    levels = [Level(5, 100_000, subset="patch"), Level(100)]
    found = prviz.run(problem, levels=levels, seed=3, calls=1000).trace.hash()
    assert page.evaluate(f"{HEAD}.hash") == found


def tab_to(page, node):
    """Press Tab until a node has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if node.evaluate("(node) => node === document.activeElement"):
            return
    pytest.fail(f"Tab does not reach {node}.")


def test_lesson_needs_only_keys_and_no_further_request(address, page):
    page.goto(f"{address}learn.html?lesson=3")
    page.wait_for_function(SHOWN)
    page.wait_for_function("navigator.serviceWorker.ready")
    page.wait_for_load_state("networkidle")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    tab_to(page, page.get_by_role("radio", name="kept"))
    page.keyboard.press("Space")
    tab_to(page, page.get_by_role("button", name="Bet", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Show the answer")).to_be_focused()
    page.keyboard.press("Enter")
    verdict = page.get_by_role("status").filter(has_text="You: kept.")
    expect(verdict).to_contain_text("seeds per answer (n = 100)")
    expect(verdict).to_be_focused()
    tab_to(page, page.get_by_role("link", name=re.compile("^Next")))
    page.wait_for_function(f"() => {HEAD}?.hash")
    assert (
        page.evaluate(f"{HEAD}.hash") == load(read(shipped("lessons", "3-redraw-one.toml"))).trace
    )
    assert [url for url in asked if not url.startswith("blob:")] == []


def test_bet_on_a_number_is_marked_among_the_answers(site, page):
    page.goto(f"{(site / 'learn.html').as_uri()}?lesson=1")
    page.wait_for_function(SHOWN)
    page.get_by_role("textbox", name="Now the search restarts").fill("60")
    page.get_by_role("button", name="Bet", exact=True).click()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_role("img", name="Your bet lies within that half.")).to_be_visible()
    assert page.locator(".chart circle").count() > 10  # there is one dot per seed


def test_site_works_offline_after_the_first_visit(address, page):
    page.goto(address)
    page.wait_for_function("navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.goto(f"{address}hmm.html?k1=3")
    page.wait_for_function(SHOWN)
    page.context.set_offline(False)


@pytest.mark.parametrize("name", ["index", "kmeans", "learn", "figures"])
def test_site_page_is_accessible(address, page, name):
    page.goto(f"{address}{name}.html")
    page.wait_for_function(f"() => ({SHOWN})() || document.querySelector('.study svg')")
    assert grave(page) == []
    page.emulate_media(color_scheme="dark")
    assert grave(page, only=COLOURS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@contextlib.contextmanager
def framing(site, content):
    """Write a page beside the site's pages, and remove it at the end."""
    path = site / "framing.html"
    path.write_text(f"<!doctype html><script src=prviz-embed.js></script>{content}", "utf-8")
    yield path.as_uri()
    path.unlink()


def test_embedded_page_is_as_high_as_its_content(site, page):
    element = '<prviz-embed src="hierarchy.html" k1="2" hide="m2"></prviz-embed>'
    with framing(site, element) as shown:
        page.goto(shown)
        inner = page.frame_locator("iframe")
        expect(inner.get_by_role("textbox", name="k₁")).to_have_value("2")
        expect(inner.get_by_role("textbox", name="M₂")).to_be_hidden()
        page.wait_for_function("document.querySelector('iframe').style.height !== '640px'")
        frame = page.frames[1]
        frame.wait_for_function("document.documentElement.scrollHeight <= innerHeight + 1")
