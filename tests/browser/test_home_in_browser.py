"""The home page works with a real server and a real browser."""

import pytest
from browsing import (
    covered,
    eventually,
    exact,
    ready,
    run_id,
    settled,
    tells_colours_apart,
    track,
    widest,
)
from playwright.sync_api import expect
from test_accessible import VIEWS, check_view

from prviz.player.export.keys import KEYS, keys_of
from prviz.player.pictures.frames import ITERATE, KEPT, REDRAW, REVERTED
from prviz.ui.catalogue import benchmarks

#: The start of each page's heading.
CARDS = {each.page: each.title for each in benchmarks() if each.card}
PLAYBACK = "[...globalThis.__prvizTheatres.values()][0].theatre.playback"


def played(page):
    """Return the frame of the picture: call and index."""
    return page.evaluate(f"[{PLAYBACK}.frame?.call ?? 0, {PLAYBACK}.frame?.sub ?? 0]")


def boxes(page, selector):
    return [part.bounding_box() for part in page.locator(selector).all()]


@pytest.fixture
def home(open_once):
    page = ready(open_once("/"))
    page.set_viewport_size({"width": 1280, "height": 720})
    return page


@pytest.fixture
def still(open_once):
    return ready(open_once("/", motion="reduce"))


def test_home_shows_everything_in_the_first_view_and_is_accessible(home):
    page = home
    expect(page).to_have_title("Home · prviz")
    expect(page.locator("h1")).to_contain_text("Stuck?")
    expect(page.locator("[class*='st-key-card-']")).to_have_count(len(CARDS))
    for scheme, width, height in VIEWS:
        check_view(page, scheme, width, height)
        eventually(lambda: tells_colours_apart(page))
        assert widest(page) <= width
        for picture in page.locator("[class*='st-key-card-'] img").all():
            eventually(lambda picture=picture: picture.evaluate("image => image.naturalWidth") > 0)
            assert scheme in picture.evaluate("image => image.currentSrc")
        seen = "h1, .pv-canvas, .pv-sentence, .pv-phases, [class*='st-key-card-'], .st-key-settings"
        for box in boxes(page, seen if width > 390 else ".pv-canvas, .pv-play"):
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height
            assert box["x"] + box["width"] <= width

    canvas, play = boxes(page, ".pv-canvas, .pv-play")  # positions on a phone
    assert canvas["y"] < play["y"]
    for box in boxes(page, ".pv-phases li, [class*='st-key-card-']"):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_small_player_handles_only_the_keys_that_it_lists(home):
    page = home
    eventually(lambda: played(page) > [1, 1])  # the player starts automatically
    assert page.locator(".pv-hidden[aria-live]").inner_text() == ""  # nothing is announced
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    there = played(page)
    said = page.locator(".pv-sentence").inner_text()
    expect(page.locator(".pv-hidden[aria-live]")).to_have_text(said)
    for pressed in [pressed for key in KEYS if not key.compact for pressed in key.pressed]:
        page.keyboard.press(pressed)  # keys that the small player does not have
    assert page.evaluate(f"[{PLAYBACK}.mode, {PLAYBACK}.pace]") == ["paused", 1]
    assert played(page) == there
    page.keyboard.press("?")
    told = page.get_by_role("dialog", name="Keys").locator("dd").all_inner_texts()
    assert told == [key.does for key in keys_of(compact=True)]
    page.keyboard.press("?")
    page.keyboard.press("ArrowRight")
    eventually(lambda: played(page) > there)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()


def test_controls_start_new_runs_and_a_paused_player_stays_paused(home):
    page = home
    first = run_id(page)
    track(page, "alpha").press("ArrowLeft")
    expect(exact(page, "alpha")).to_have_value("0.69")
    eventually(lambda: run_id(page) != first)
    expect(page.locator(".pv-toast")).to_have_text("α is now 0.69")
    assert covered(page) == []
    page.get_by_role("button", name="Pause", exact=True).click()
    second = run_id(page)
    page.get_by_role("button", name="Another seed").click()
    eventually(lambda: run_id(page) != second)
    eventually(lambda: played(page) == [1, 0])
    settled(page)
    assert page.evaluate(f"{PLAYBACK}.mode") == "paused"
    assert played(page) == [1, 0]

    page.locator(".st-key-settings").get_by_role("combobox").click()
    page.get_by_role("option", name="two dimensions").click()
    expect(track(page, "k1")).to_be_enabled()
    eventually(
        lambda: page.locator(".pv-canvas").get_attribute("aria-label").startswith("Landscape of 2")
    )
    filled = """() => {
        const { view } = [...globalThis.__prvizTheatres.values()][0].theatre.scene;
        return [(view.x(1) - view.x(0)) / view.width, (view.y(0) - view.y(1)) / view.height];
    }"""
    assert min(page.evaluate(filled)) > 0.8


def test_cards_open_their_pages_by_key_and_pointer(home):
    page = home
    page.locator("h1").click()  # so that keys control the player
    page.keyboard.press("ArrowRight")
    eventually(lambda: played(page) > [1, 0])
    there, run = played(page), run_id(page)
    settled(page)

    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        card = page.evaluate(
            "() => document.activeElement.closest('[class*=st-key-card-]') "
            "&& document.activeElement.getAttribute('href')"
        )
        if card:
            reached.append(card.rsplit("/", 1)[-1])
        if len(reached) == len(CARDS):
            break
    assert reached == list(CARDS)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text(CARDS[reached[-1]], timeout=60_000)

    page.get_by_role("link", name="Home").click()
    expect(page.locator("h1")).to_contain_text("Stuck?")
    eventually(lambda: run_id(page) == run)
    eventually(lambda: played(page) == there)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()

    settled(page)
    box = page.locator(".st-key-card-kmeans img").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("h1")).to_contain_text(CARDS["kmeans"], timeout=60_000)
    assert page.url.endswith("/kmeans")


def test_reduced_motion_pauses_the_player(still):
    page = still
    assert page.evaluate(f"{PLAYBACK}.mode") == "paused"
    assert played(page) == [1, 0]
    frames = page.evaluate(
        """() => [...globalThis.__prvizTheatres.values()][0].theatre.projector.film.frames(1)
            .map(({ event, cost }) => [event, event === 2 ? cost : null])"""
    )
    heights = [height for event, height in frames if event == ITERATE]
    words = {REDRAW: "redrawn", KEPT: "kept", REVERTED: "reverted"}
    for i, (event, height) in enumerate(frames):
        eventually(lambda i=i: played(page) == [1, i])
        hardly = event == ITERATE and height - heights[-1] <= 0.01 * (heights[0] - heights[-1])
        expected = words.get(event, "stuck" if hardly else "settling")
        expect(page.locator(".pv-phases .pv-lit")).to_have_text(expected)
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Play", exact=True).click()
    eventually(lambda: played(page) >= [2, 1])


def test_home_page_has_space_for_seven_cards(still):
    page = still
    settled(page)
    page.locator(".st-key-cards").evaluate(
        """(row) => {
            const one = [...row.children].find(({ innerText }) => innerText.includes("Markov"));
            while (row.children.length < 7) row.append(one.cloneNode(true));
        }"""  # the card with the longest name
    )
    expect(page.locator("[class*='st-key-card-']")).to_have_count(7)
    cards = boxes(page, "[class*='st-key-card-']")
    assert len({(box["y"], round(box["width"]), round(box["height"])) for box in cards}) == 1
    assert max(box["y"] + box["height"] for box in cards) <= 720
    assert max(box["x"] + box["width"] for box in cards) <= 1280
    for words in page.locator("[class*='st-key-card-'] p").all():
        assert words.evaluate("text => text.scrollWidth <= text.clientWidth")
    for width in (390, 768, 1000):  # a card alone in its row is no wider than the others
        page.set_viewport_size({"width": width, "height": 720})
        eventually(
            lambda: (
                len({round(box["width"]) for box in boxes(page, "[class*='st-key-card-']")}) == 1
            )
        )
