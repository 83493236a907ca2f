"""Presentation mode, class links and the tour work with a real server and browser."""

from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import eventually, playhead, ready, settled, widest
from playwright.sync_api import expect
from test_accessible import grave, look_at

from prviz.ui.catalogue import benchmarks

LINK = "/kmeans?v=1&calls=60&budget=calls&present=1&moments=12,40"
HEAD = "[...__prvizTheatres.values()][0].theatre.projector.engine.calls"


def query(page):
    found = parse_qs(page.evaluate("location.search.slice(1)"))
    return {name: values[0] for name, values in found.items()}


@pytest.mark.long
def test_link_for_a_class_is_made_and_opened(open_page):
    page = ready(open_page(LINK, motion="reduce"))
    expect(page.locator(".prviz[data-present]")).to_be_visible()
    for hidden in (page.get_by_test_id("stSidebar"), page.get_by_test_id("stHeader")):
        expect(hidden).to_be_hidden()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => getComputedStyle(main).visibility") == "hidden"
    expect(page.locator(".pv-bookmarks span")).to_have_count(2)
    eventually(lambda: page.evaluate(HEAD) >= 40)
    for there in (12, 40):
        page.keyboard.press("PageDown")
        eventually(lambda there=there: playhead(page) == there)
    page.keyboard.press("b")
    eventually(lambda: query(page)["moments"] == "12")
    page.keyboard.press("?")
    look_at(page, "dark", 1280, 720)
    assert grave(page, ".prviz") == []
    page.keyboard.press("f")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    assert "present" not in query(page) and query(page)["moments"] == "12"
    page.locator("[class*='-k1-exact'] input").fill("2")
    page.locator("[class*='-k1-exact'] input").press("Enter")
    eventually(lambda: query(page).get("k1") == "2")
    eventually(lambda: "moments" not in query(page))  # the bookmarks were calls of another run
    expect(page.locator(".pv-bookmarks span")).to_have_count(0)

    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Link for a class").click()
    dialog = page.get_by_role("dialog", name="Link for a class")
    dialog.get_by_label("k₁: locked").check()
    dialog.get_by_label("M₁: hidden").check()
    dialog.get_by_label("Open in presentation mode").check()
    assert grave(page, "dialog") == []
    link = dialog.get_by_label("Link", exact=True).input_value()
    assert {"lock=k1", "hide=m1", "present=1", "k1=2"} <= {*urlsplit(link).query.split("&")}


# The tour


def begun(page):
    expect(page.locator(".pv-sentence")).not_to_be_empty(timeout=90_000)
    settled(page)
    page.get_by_role("button", name="Show me in a minute").press("Enter")
    dialog = page.get_by_role("dialog", name="prviz in a minute")
    page.wait_for_function("globalThis.__prvizTour?.theatre.playback.frame")
    return dialog


@pytest.mark.long
def test_tour_shows_every_page_and_ends_with_links(open_page):
    page = open_page("/")
    dialog = begun(page)
    place = "document.querySelector('.st-key-theatre-small').getBoundingClientRect().top"
    before = page.evaluate(place)
    seconds = "__prvizTour.each * __prvizTour.stops.length / 1000"
    assert page.evaluate(seconds) == pytest.approx(60, abs=0.1)
    assert page.evaluate("__prvizTour.theatre.playback.mode") == "story"
    page.evaluate(
        """() => {
            globalThis.toured = [];
            const note = () => {
                const name = __prvizTour.link.textContent;
                if (name && !toured.includes(name)) toured.push(name);
            };
            note();
            new MutationObserver(note).observe(__prvizTour.link, { childList: true, subtree: true,
                characterData: true });
            __prvizTour.each = 300;
        }"""
    )
    expect(dialog.get_by_text("What next:")).to_be_visible()
    seen = page.evaluate("toured")
    assert seen == ["Home", *(each.label for each in benchmarks())]
    onward = dialog.get_by_role("link", name="Try it on k-means")
    expect(onward).to_have_attribute("href", "/kmeans")
    assert page.evaluate(place) == before
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


WHERE = "[__prvizTour.theatre.playback.frame?.event, __prvizTour.theatre.playback.mode]"


@pytest.mark.long
def test_tour_respects_reduced_motion_on_a_phone(open_page):
    page = open_page("/", width=390, height=844, scheme="dark", motion="reduce")
    dialog = begun(page)
    assert widest(page) <= 390
    for part in dialog.locator("canvas:visible, button:visible, p:visible, a:visible").all():
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
        assert box["y"] >= 0 and box["y"] + box["height"] <= 844
    assert grave(page, "dialog") == []
    eventually(lambda: page.evaluate("__prvizTour.stills") == 1)
    eventually(lambda: page.evaluate(WHERE) == [1, "paused"])  # a redraw
    page.evaluate("__prvizTour.elapsed = __prvizTour.each / 2 + 1")
    eventually(lambda: page.evaluate(WHERE)[0] in (3, 4))  # the result of the redraw
    assert page.evaluate(WHERE)[1] == "paused"
    dialog.get_by_role("button", name="Pause").click()
    there = page.evaluate("__prvizTour.elapsed")
    drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.evaluate(drawn)
    assert page.evaluate("__prvizTour.elapsed") == there
    dialog.get_by_role("button", name="Continue").click()
    eventually(lambda: page.evaluate("__prvizTour.elapsed") > there)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("Next:")).to_have_count(0)
    assert page.evaluate("document.activeElement.innerText").endswith("Show me in a minute")
