"""Test the page of hidden Markov models with a real server and a real browser."""

from browsing import SIDEBAR, choose, eventually, head_calls, ready
from playwright.sync_api import expect


def type_text(page, text):
    box = page.get_by_role("textbox", name="Text")
    box.fill(text)
    box.press("Control+Enter")


def test_own_text_is_trained_on_after_a_megabyte_was_refused(open_page):
    page = ready(open_page("/hmm?budget=calls&calls=30&n_states=4"))
    choose(page, "String", "Type or paste")
    type_text(page, "ab" * 500_000)
    alert = page.get_by_test_id(SIDEBAR).get_by_test_id("stAlert")
    expect(alert).to_contain_text("8 to 2000", timeout=30_000)
    type_text(page, "to be or not to be & that = 100 %")
    expect(alert).to_have_count(0)
    expect(page.locator("h1")).to_have_text("Hidden Markov model of your text")
    expect(page.locator(".st-key-words")).to_contain_text("0 = blank, 1 = %, 2 = &")
    ready(page).locator(".pv-run").click()
    eventually(lambda: head_calls(page) == 30)
