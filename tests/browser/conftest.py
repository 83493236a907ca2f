"""All tests share one real server and one real browser; any error on a page fails its test."""

import contextlib
from pathlib import Path

import pytest
from picture import shown
from playwright.sync_api import expect, sync_playwright
from quiet_page import LESS_DRAWING, REPLAY_DRAWING
from serving import Server

from prviz.player.export.bundle import STATIC
from prviz.problems import PROBLEMS
from prviz.warm import compile_alone
from tools.chromium import find

expect.set_options(timeout=20_000)  # long enough for slow machines


HERE = Path(__file__).parent
MODULES = "http://modules.test/"

CHEAP = ["--no-sandbox", "--process-per-site"]

#: A substitute for Plotly, which takes 1 to 2 s of CPU time per page: curves stay empty.
NO_PLOTLY = """
globalThis.Plotly = { async react(node) { node.on ??= () => {}; }, purge() {} };
"""
#: Open the lab in a new browser, which has the simple view by default.
LAB = """
try {
  localStorage.getItem("prviz-view") ?? localStorage.setItem("prviz-view", "lab");
} catch {}
"""


def pytest_collection_modifyitems(items):
    """Repeat a failed test once, because server, browser and search share two cores."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def start_server(tmp_path_factory):
    """Start a server with compiled kernels."""
    for name in PROBLEMS:
        compile_alone(name)

    def start(options=None, **environment):
        return Server(tmp_path_factory.mktemp("server") / "log.txt", options, **environment)

    return start


@pytest.fixture(scope="session")
def server(start_server):
    """Return the address of the shared server."""
    with start_server() as started:
        yield started.address


@pytest.fixture(scope="session")
def chromium():
    """Return the arguments that start Chromium."""
    found = find()
    options = {"executable_path": found} if found else {}
    with sync_playwright() as playwright:
        yield playwright.chromium, {"args": CHEAP, **options}


@pytest.fixture(scope="session")
def browser(chromium):
    """Start the browser that the tests share."""
    kind, options = chromium
    browser = kind.launch(**options)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def cached(chromium, server, tmp_path_factory):
    """Return a context with a browser cache, so that pages open faster."""
    kind, options = chromium
    context = kind.launch_persistent_context(tmp_path_factory.mktemp("browser"), **options)
    context.new_page().goto(f"{server}/_stcore/health")  # later pages run in this page's process
    yield context
    context.close()


@contextlib.contextmanager
def opening(request, cached, server):
    """Return a function that opens pages. Errors in consoles or on pages fail the test."""
    contexts, complaints, pages = [], [], []

    def open_(
        path="/",
        width=1280,
        height=720,
        scheme="light",
        base=server,
        motion=None,
        permissions=(),
        view="lab",
        plotly=False,
        **options,
    ):
        context = cached
        if options:  # options such as has_touch apply only to a new context
            context = request.getfixturevalue("browser").new_context(**options)
            contexts.append(context)
        if permissions:
            context.grant_permissions(permissions)
        page = context.new_page()
        page.add_init_script(LESS_DRAWING)
        if not plotly:
            page.add_init_script(NO_PLOTLY)
        if view == "lab":  # a new browser would open the simple view
            page.add_init_script(LAB)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        page.on(
            "console",
            lambda message: message.type == "error" and complaints.append(message.text),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.extend(_failure(request)))
        page.on(
            "response",
            lambda answer: (
                answer.status >= 400 and complaints.append(f"{answer.status} {answer.url}")
            ),
        )
        pages.append(page)
        page.goto(base + path)
        return page

    yield open_
    for page in pages:
        if not page.is_closed():
            complaints += page.get_by_test_id("stException").all_inner_texts()
            # at a phone's width, a page stores its sidebar's state again when it closes
            page.set_viewport_size({"width": 1280, "height": 720})
            page.evaluate("localStorage.clear()")
            page.close()
    cached.clear_permissions()
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def open_page(request, cached, server):
    """Open a page for one test."""
    with opening(request, cached, server) as open_:
        yield open_


@pytest.fixture(scope="module")
def kept_pages(request, cached, server):
    with opening(request, cached, server) as open_:
        yield open_, {}


@pytest.fixture
def open_once(request, kept_pages):
    """Open a page that the tests of a file use in order. A repeated test gets a new page."""
    open_, pages = kept_pages

    def once(path, **options):
        name = path, *options.items()
        if name in pages and getattr(request.node, "execution_count", 1) > 1:
            pages.pop(name).close()
        if name not in pages:
            pages[name] = open_(path, **options)
        return pages[name]

    return once


def _failure(request):
    """Return the error of a failed request. Aborted requests are not errors."""
    return [] if "ERR_ABORTED" in (request.failure or "") else [f"{request.failure} {request.url}"]


@pytest.fixture(scope="module")
def modules(browser):
    """Open an empty page that can import the player's modules: ``import("/run/engine.js")``."""
    page = browser.new_page()

    def answer(route):
        path = route.request.url.removeprefix(MODULES)
        if not path:
            return route.fulfill(body="<!doctype html>", content_type="text/html")
        return route.fulfill(body=(STATIC / path).read_text(), content_type="text/javascript")

    page.route(f"{MODULES}**", answer)
    page.goto(MODULES)
    yield page
    page.close()


@pytest.fixture
def open_replay(browser):
    """Return a function that opens a replay; an error in the console fails the test."""
    contexts, complaints = [], []

    def open_(path, width=1100, height=720, motion="reduce", **options):
        viewport = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=viewport, reduced_motion=motion, **options))
        page = contexts[-1].new_page()
        page.add_init_script(REPLAY_DRAWING)
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        return shown(page, 1, 0)

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def watched_page(browser):
    """Return a function that opens pages in new contexts; errors and warnings fail the test."""
    contexts, complaints = [], []

    def open_(width=1000, height=720, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **options))
        page = contexts[-1].new_page()
        page.add_init_script(REPLAY_DRAWING)
        page.on(
            "console",
            lambda message: (
                message.type in ("error", "warning") and complaints.append(message.text)
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []
