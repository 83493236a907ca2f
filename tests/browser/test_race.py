"""The race as a person meets it: a real server, a real browser."""

from browsing import eventually, playhead, ready, widest
from playwright.sync_api import expect
from test_accessible import VIEWS, grave, look_at

LINK = "/race?n_clusters=12&runs=20&each=0.05"


def board(page):
    expect(page.locator(".pv-race .pv-run")).to_have_text("Run", timeout=90_000)
    return page


def seen(page):
    """How many runs of each contender the charts show."""
    texts = page.locator(".pv-race .legendtext").all_text_contents()
    return [int(text.split("n = ")[1]) for text in texts if "n = " in text]


def test_it_runs_stops_and_shows_a_run_whose_dot_is_pressed(open_page):
    page = board(open_page("/race?runs=20&each=60"))
    page.locator(".pv-race .pv-run").click()
    eventually(lambda: seen(page) == [20, 20])
    expect(page.locator(".pv-race-words")).to_contain_text("n\u00a0=\u00a020\u00a0+\u00a020")
    assert len(page.locator(".pv-race-table tbody tr").all()) == 2
    page.locator(".pv-race .pv-run").click()
    expect(page.locator(".pv-race .pv-run")).to_have_text("Run again")
    expect(page.locator(".pv-race-state")).to_contain_text("Stopped: 20 of 20 seeds")
    dots = page.locator(".pv-strips-canvas")
    dots.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        dots.press(key)
    expect(page.locator(".pv-strips-words")).to_contain_text("Full, seed 1: gap")
    with page.expect_response("**/replay?*") as answer:
        dots.press("Enter")
    params = answer.value.json()["params"]
    assert (params["seed"], params["k1"], params["budget"]) == ("1", "50", "calls")
    expect(page.locator("h2").first).to_have_text("Full, seed 1")
    ready(page)
    x, y = page.evaluate("""() => {
        const canvas = document.querySelector(".pv-strips-canvas");
        const g = canvas.getContext("2d"), ratio = canvas.width / canvas.clientWidth;
        const { data } = g.getImageData(0, 20 * ratio, canvas.width, 28 * ratio);
        const at = data.findIndex((value, i) => i % 4 === 3 && value > 150) >> 2;
        return [at % canvas.width / ratio + 2, 20 + Math.floor(at / canvas.width) / ratio + 2];
    }""")
    with page.expect_response("**/replay?*"):
        dots.click(position={"x": x, "y": y})
    expect(page.locator("h2").first).to_contain_text("Partial, seed ")
    ready(page)
    shown = page.locator(".pv-where").text_content()
    expect(page.locator(".pv-where")).not_to_have_text(shown)  # it plays


def _outlives_another_drawing(page, words):
    ink = "getComputedStyle(document.querySelector('.pv-race .legendtext')).fill"
    light = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    eventually(lambda: page.evaluate(ink) != light)
    expect(page.locator(".pv-race-state")).to_have_text(words)


def test_what_is_found_can_be_taken_away_and_its_link_restores_it(open_page):
    page = board(open_page(LINK, permissions=["clipboard-read", "clipboard-write"]))
    page.locator(".pv-race .pv-run").click()
    expect(page.locator(".pv-race-state")).to_contain_text(
        "Finished: 20 of 20 seeds", timeout=60_000
    )
    with page.expect_download() as there:
        page.get_by_role("link", name="CSV").click()
    head, *rows = there.value.path().read_text("utf-8").splitlines()
    assert head == "contender,seed,calls,iterations,seconds,best" and len(rows) >= 40
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.locator(".pv-race-state")).to_have_text("Link copied.")
    _outlives_another_drawing(page, "Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    again = board(open_page(link[link.index("/race") :]))
    expect(again.get_by_role("combobox", name="Seeds")).to_have_value("20")
    expect(again.locator("[class*='st-key-race-each-exact'] input")).to_have_value("0.05")


def test_a_phone_has_all_of_it_and_axe_finds_nothing(open_page):
    page = board(open_page(LINK))
    page.locator(".pv-race .pv-run").click()
    expect(page.locator(".pv-race-state")).to_contain_text("Finished", timeout=60_000)
    for view in VIEWS:
        look_at(page, *view)
        assert grave(page) == [], view
    assert widest(page) <= 390


def test_it_is_stopped_by_a_search_on_another_page(open_page):
    page = board(open_page("/race?runs=20&each=60"))
    page.locator(".pv-race .pv-run").click()
    eventually(lambda: seen(page) == [20, 20])
    page.get_by_role("link", name="k-means").first.click()
    ready(page)
    page.locator(".pv-run").click()
    eventually(lambda: playhead(page) > 1)
    page.get_by_role("link", name="Race").click()
    expect(page.locator(".pv-race-state")).to_contain_text("Stopped")
    eventually(lambda: seen(page) == [20, 20])
