"""A real server and a real browser, each started once; a page fails its test by any complaint."""

import os
import shutil
import subprocess
import sys

import pytest
from picture import shown
from playwright.sync_api import sync_playwright
from serving import ROOT, Server


@pytest.fixture(scope="session")
def new_server(tmp_path_factory):
    """Starts a server of its own, with kernels compiled before; all are stopped at the end."""
    subprocess.run([sys.executable, "-m", "prviz.warm"], cwd=ROOT, check=True)
    servers = []

    def start(options=None) -> Server:
        servers.append(Server(tmp_path_factory.mktemp("server") / "log.txt", options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture(scope="session")
def server(new_server):
    """The address of the server that most tests share."""
    return new_server().address


@pytest.fixture(scope="session")
def chromium():
    """How to start it: PRVIZ_CHROMIUM, else the system's, else Playwright's own."""
    found = os.environ.get("PRVIZ_CHROMIUM")
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = found or shutil.which(name)
    options = {"executable_path": found} if found else {}
    with sync_playwright() as playwright:
        yield playwright.chromium, {"args": ["--no-sandbox"], **options}


@pytest.fixture(scope="session")
def browser(chromium):
    """Where every context begins with nothing."""
    kind, options = chromium
    browser = kind.launch(**options)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def cached(chromium, tmp_path_factory):
    """A context that keeps what it has fetched and compiled, so that pages open sooner."""
    kind, options = chromium
    context = kind.launch_persistent_context(tmp_path_factory.mktemp("browser"), **options)
    yield context
    context.close()


@pytest.fixture
def open_page(request, cached, server):
    """Opens a page; at the end, errors in the console or on the page fail the test."""
    contexts, complaints, pages = [], [], []

    def open_(
        path="/", width=1280, height=720, scheme="light", base=server, motion=None, **options
    ):
        context = cached
        if options:  # such as a screen to be touched, which a context has from its beginning
            context = request.getfixturevalue("browser").new_context(**options)
            contexts.append(context)
        page = context.new_page()
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
            page.evaluate("localStorage.clear()")
            page.close()
    for context in contexts:
        context.close()
    assert complaints == []


def _failure(request):
    """Requests that were given up on purpose are no complaint."""
    return [] if "ERR_ABORTED" in (request.failure or "") else [f"{request.failure} {request.url}"]


@pytest.fixture
def open_replay(browser):
    """Opens a replay at its first frame; a complaint in the console fails the test."""
    contexts, complaints = [], []

    def open_(path, width=1100, height=720, motion="reduce", **options):
        viewport = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=viewport, reduced_motion=motion, **options))
        page = contexts[-1].new_page()
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
    """Opens pages in contexts of their own; a complaint in the console fails the test."""
    contexts, complaints = [], []

    def open_(width=1000, height=720, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **options))
        page = contexts[-1].new_page()
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
