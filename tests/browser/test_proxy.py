"""The app works behind a reverse proxy with a path, in a real browser."""

import contextlib
import io
import re

import httpx2
import numpy as np
import pytest
from browsing import head_calls, ready
from playwright.sync_api import expect
from proxy import Proxy

import prviz

PATH, SECRET = "/lab/prviz", "a-secret-of-a-test"
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def behind(start_server):
    """Start a proxy, and behind it a server that knows the proxy's path."""
    options = {"server.headless": "true", "server.baseUrlPath": PATH}
    with start_server(options, PRVIZ_CLASS=SECRET) as server:
        proxy = Proxy(server.port, PATH)
        yield proxy
        proxy.close()


@pytest.fixture
def open_there(open_page, behind):
    return lambda path, **options: open_page(path, base=behind.address, **options)


def test_links_and_runs_and_downloads_stay_below_the_path(open_there, behind):
    clipboard = ["clipboard-read", "clipboard-write"]
    page = ready(open_there("/kmeans?k1=3&seconds=0.2&seed=5", permissions=clipboard))
    expect(page.locator("h1")).to_contain_text("k-means")
    assert all(request.split(" ")[1].startswith(PATH) for request in behind.passed)
    page.locator(".pv-run").click()
    where = page.locator(".pv-where")
    expect(where).to_contain_text("trace ")  # the search has ended
    expect(page.locator(".pv-run")).to_have_text("Run")
    calls = head_calls(page)
    starts = {"Trace (CSV)": "call,", "Trace (JSON)": "{", "Replay (HTML)": "<!doctype html>"}
    for item, start in starts.items():
        page.get_by_role("button", name="Take away").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=item).click()
        content = download.value.path().read_text("utf-8")
        assert content.startswith(start)
        assert len(content.splitlines()) == calls + 1 or start != "call,"
        assert download.value.url.startswith(f"{behind.address}/player/runs/")
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.locator(".pv-toast")).to_contain_text("copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{behind.address}/kmeans?") and "k1=3" in link
    assert f"&budget=calls&seconds=0.2&calls={calls}&" in link  # the number of calls made
    trace = re.search(r"[?&]trace=([0-9a-f]{16})(&|$)", link)[1]
    expect(where).to_contain_text(f"trace {trace}")
    page.get_by_role("link", name="Hierarchy").first.click()  # pages link to each other
    expect(page).to_have_url(f"{behind.address}/hierarchy")


def test_uploads_are_limited_in_size_and_number(open_there, behind):
    page = ready(open_there("/kmedoids?budget=calls&calls=50"))
    page.locator("[class*='st-key-kmedoids-data']").get_by_role("combobox").click()
    page.get_by_role("option", name="Paste or upload").click()
    file = io.BytesIO()
    np.save(file, prviz.dissimilarity(np.random.default_rng(0).normal(size=(40, 2)), "euclidean"))
    with page.expect_response(lambda answer: "/upload_file/" in answer.url) as told:
        page.get_by_test_id("stFileUploader").locator("input").set_input_files(
            {"name": "towns.npy", "mimeType": "text/plain", "buffer": file.getvalue()}
        )
    assert told.value.status == 204
    address = told.value.url
    assert address.startswith(f"{behind.address}/_stcore/upload_file/")
    expect(page.locator("h1")).to_have_text("k-medoids on towns.npy")

    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}

    def put(megabytes, number):
        """Upload a file directly; return None if the connection ended early."""
        with contextlib.suppress(httpx2.TransportError):
            return httpx2.put(
                f"{address.rsplit('/', 1)[0]}/{number}",
                files={"file": bytes(megabytes << 20)},
                headers={"X-Xsrftoken": cookies["_streamlit_xsrf"]},
                cookies=cookies,
                timeout=60,
            ).status_code

    assert put(51, 0) in (413, None)  # the server answers before the upload is complete
    assert [put(megabytes, megabytes) for megabytes in (49, 48, 47)] == [204, 204, 204]
    assert put(5, 5) in (429, None)  # the tab has reached its limit


def test_phone_can_join_and_bet_below_the_path(open_there, behind):
    projector, phone = open_there(f"/lecture?key={SECRET}"), open_there("/join")
    projector.get_by_role("link", name="10-minute").click()
    panel = projector.locator(".pv-classroom")
    expect(panel).to_contain_text("1 person is here", timeout=60_000)
    expect(panel).to_contain_text(f"{behind.address.removeprefix('http://')}/join")
    for _ in range(3):  # hide the address, play, ask
        projector.keyboard.press("PageDown")
    phone.get_by_role("textbox").fill("30", timeout=60_000)
    phone.get_by_role("button", name="Bet").click()
    expect(panel).to_contain_text("1 of 1 has bet.")
