"""Test the k-medoids page with a real server and a real browser."""

import io
import re

import numpy as np
from browsing import SIDEBAR, choose, eventually, head_calls, playhead, ready, sidebar
from playwright.sync_api import expect

import prviz


def members_listed(panel):
    """Return the number of members that the browser finds."""
    return int(re.search(r"(\d+) members?", panel.inner_text())[1])


def size_in_the_frame(page, panel):
    """Return the size that the engine has for the same cluster."""
    slot = int(re.search(r"Medoid (\d+)", panel.inner_text())[1])
    return page.evaluate(
        """(slot) => [...globalThis.__prvizTheatres.values()].at(-1)
            .theatre.playback.frame.sizes[slot]""",
        slot,
    )


def test_own_matrix_is_searched_and_compared(open_page):
    page = ready(open_page("/kmedoids?budget=calls&calls=200"))
    choose(page, "Data", "Paste or upload")
    file = io.BytesIO()
    np.save(file, prviz.dissimilarity(np.random.default_rng(0).normal(size=(40, 2)), "euclidean"))
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(
        {"name": "towns.npy", "mimeType": "application/vector-stream", "buffer": file.getvalue()}
    )
    expect(page.locator("h1")).to_have_text("k-medoids on towns.npy")
    ready(page).locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 200)

    # The members listed follow the playback and agree with the engine's sizes.
    page.get_by_role("button", name="Pause").click()
    page.locator(".pv-canvas").focus()
    page.keyboard.press("Enter")
    panel = page.locator(".pv-members")
    expect(panel).to_contain_text("members, distances")
    expect(panel.locator("li").first).to_contain_text("0")
    assert members_listed(panel) == size_in_the_frame(page, panel)
    page.keyboard.press("l")  # to the last call
    eventually(lambda: playhead(page) == 200)
    eventually(lambda: members_listed(panel) == size_in_the_frame(page, panel))

    sidebar(page, "Compare with affinity propagation").click()
    expect(page.get_by_test_id(SIDEBAR)).to_contain_text("It converged.", timeout=60_000)
    expect(page.locator(".pv-plot")).to_contain_text("affinity propagation, ")
    assert head_calls(page) == 200  # the same run
