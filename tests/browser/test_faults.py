"""A lost network and a killed server, as a person at a real browser meets them."""

import signal

import psutil
import pytest
from browsing import eventually, head_calls, playhead, progress, ready, run_id
from proxy import Proxy

LOST = 5_000  # milliseconds
PATIENCE = 20.0  # seconds, after which a process counts as left behind


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
    page.on("pageerror", lambda error: broken.append(str(error)))
    yield page
    broken += page.get_by_test_id("stException").all_inner_texts()
    page.context.close()
    assert broken == []


@pytest.mark.parametrize("how", ["cut", "stall"])
def test_the_player_goes_on_where_it_was_when_the_network_is_back(page, proxy, how):
    page.goto(f"{proxy.address}/kmeans?k1=2&budget=seconds&seconds=60")
    ready(page).locator(".pv-run").click()
    eventually(lambda: head_calls(page) > 20 and playhead(page) >= 2, 60.0)
    run = run_id(page)
    getattr(proxy, how)()
    page.wait_for_timeout(LOST)
    there = playhead(page)
    assert there >= 2  # it played what it had
    proxy.mend()

    lost = head_calls(page)
    eventually(lambda: head_calls(page) > lost + 20, 30.0)
    eventually(lambda: playhead(page) > there, 30.0)
    assert playhead(page) < there + 20  # from where it was, not from the head
    assert run_id(page) == run
    # The search goes on, again if the server has noticed
    eventually(lambda: progress(proxy.server.address, run)["state"] == "running", 30.0)


def test_a_server_that_is_killed_leaves_no_comparison_behind(page, new_server):
    server = new_server()
    page.goto(f"{server.address}/kmedoids?budget=calls&calls=10")
    ready(page)
    page.get_by_role("button", name="Compare with affinity propagation").click()
    process = psutil.Process(server.process.pid)
    eventually(lambda: process.children(recursive=True), 30.0)
    children = process.children(recursive=True)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait(PATIENCE)
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    for child in alive:
        child.kill()
    assert alive == []
