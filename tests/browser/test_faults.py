"""Test how a page survives a lost network, with a real server and a real browser."""

import pytest
from browsing import at_rest, eventually, exact, head_calls, playhead, progress, ready, run_id
from playwright.sync_api import expect
from proxy import Proxy
from quiet_page import LESS_DRAWING


@pytest.fixture
def proxy(new_server):
    server = new_server()
    proxy = Proxy(server.port)
    proxy.server = server
    yield proxy
    proxy.close()


@pytest.fixture
def page(browser):
    """A page whose network may fail: its console is full of that, but nothing breaks."""
    broken = []
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.add_init_script(LESS_DRAWING)
    page.on("pageerror", lambda error: broken.append(str(error)))
    yield page
    broken += page.get_by_test_id("stException").all_inner_texts()
    page.context.close()
    assert broken == []


def test_player_resumes_where_it_was_after_a_cut_and_a_stall(page, proxy):
    page.goto(f"{proxy.address}/kmeans?k1=2&budget=seconds&seconds=60")
    expect(exact(page, "k1")).to_have_value("2")  # by the first request to a fresh server
    expect(page.get_by_role("dialog")).to_have_count(0)
    ready(page).locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 20 and playhead(page) >= 2, 60.0)
    run = run_id(page)

    def resumes():
        there, lost = playhead(page), head_calls(page)
        proxy.mend()
        eventually(lambda: head_calls(page) > lost + 20, 30.0)
        eventually(lambda: playhead(page) > there, 30.0)
        assert playhead(page) < there + 20  # from where it was, not from the head
        assert run_id(page) == run
        # The search goes on, also if the server had paused it.
        eventually(lambda: progress(proxy.server.address, run)["state"] == "running", 30.0)

    proxy.cut()
    expect(page.locator(".pv-toast")).to_have_text("The server does not answer; trying again.")
    resumes()
    proxy.stall()
    at_rest(lambda: playhead(page), 2.0)  # it has played what it had
    resumes()
