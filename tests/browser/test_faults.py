"""A page survives a lost network, with a real server and a real browser."""

from urllib.parse import urlsplit

import pytest
from browsing import at_rest, enter, eventually, head_calls, playhead, progress, ready, run_id
from playwright.sync_api import expect
from proxy import Proxy
from quiet_page import LESS_DRAWING


@pytest.fixture
def proxy(server):
    proxy = Proxy(urlsplit(server).port)
    yield proxy
    proxy.close()


@pytest.fixture
def page(browser):
    """Open a page whose network may fail. Console errors are expected; page errors are not."""
    broken = []
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.add_init_script(LESS_DRAWING)
    page.on("pageerror", lambda error: broken.append(str(error)))
    yield page
    broken += page.get_by_test_id("stException").all_inner_texts()
    page.context.close()
    assert broken == []


@pytest.mark.long
def test_player_resumes_at_its_position_after_a_cut_and_a_stall(page, proxy, server):
    page.goto(f"{proxy.address}/kmeans?k1=2&budget=seconds&seconds=60")
    ready(page).locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 20 and playhead(page) >= 2, 60.0)
    run = run_id(page)

    def state():
        return progress(server, run)["state"]

    def resumes():
        there, lost = playhead(page), head_calls(page)
        proxy.restore()
        eventually(lambda: head_calls(page) > lost + 20, 30.0)
        eventually(lambda: playhead(page) > there, 30.0)
        assert playhead(page) < there + 20  # playing continues from here, not from the newest call
        assert run_id(page) == run
        # The search continues, even if the server had paused it.
        eventually(lambda: state() == "running", 30.0)

    proxy.cut()
    expect(page.locator(".pv-toast")).to_have_text("The server does not answer. Trying again …")
    eventually(lambda: state() == "paused")
    resumes()
    proxy.stall()
    at_rest(lambda: playhead(page), 2.0)  # the player has played all loaded calls
    resumes()
    enter(page, "k1", "3")  # the server still has the tab's values
    expect(page.locator(".pv-toast")).to_have_text("k₁ is now 3: new run")
    eventually(lambda: state() == "stopped")
    assert progress(server, run_id(page))["state"] == "running"
