"""The start as a person meets it: a real server, a real browser."""

import pytest
from browsing import covered, eventually, exact, ready, run_id, settled, track, widest
from playwright.sync_api import expect

from prviz.player.frames import ITERATE, KEPT, REDRAW, REVERTED
from prviz.player.keys import KEYS, keys_of
from prviz.ui.catalogue import benchmarks

#: Page → how its heading begins.
CARDS = {each.page: each.title for each in benchmarks() if each.card}


def played(page):
    """How far the picture is: call and frame."""
    return page.evaluate(
        """() => {
            const { playback } = [...globalThis.__prvizTheatres.values()][0].theatre;
            return [playback.frame?.call ?? 0, playback.frame?.sub ?? 0];
        }"""
    )


def lit(page):
    return page.locator(".pv-phases .pv-lit").inner_text()


def press_card(page, name):
    """Press a card in the middle of its picture."""
    settled(page)
    box = page.locator(f".st-key-card-{name} img").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_is_in_the_first_view(open_page, scheme):
    page = ready(open_page(scheme=scheme))
    expect(page).to_have_title("Home · prviz")
    expect(page.locator("h1")).to_contain_text("Stuck?")
    expect(page.locator("[class*='st-key-card-']")).to_have_count(len(CARDS))
    settled(page)
    for part in page.locator(
        "h1, .pv-canvas, .pv-sentence, .pv-phases, [class*='st-key-card-'], .st-key-settings"
    ).all():
        box = part.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720
        assert box["x"] + box["width"] <= 1280
    for picture in page.locator("[class*='st-key-card-'] img").all():
        eventually(lambda picture=picture: picture.evaluate("image => image.naturalWidth") > 0)
        assert scheme in picture.evaluate("image => image.currentSrc")


def boxes_of_cards(page):
    return [card.bounding_box() for card in page.locator("[class*='st-key-card-']").all()]


def with_another_card(page):
    """One beside those there are, like that with the longest name; all boxes."""
    settled(page)
    page.locator(".st-key-cards").evaluate(
        """(row) => {
            const one = [...row.children].find(({ innerText }) => innerText.includes("Markov"));
            row.append(one.cloneNode(true));
        }"""
    )
    expect(page.locator("[class*='st-key-card-']")).to_have_count(len(CARDS) + 1)
    return boxes_of_cards(page)


def test_more_cards_share_the_row_and_the_first_view(open_page):
    page = ready(open_page())
    boxes = with_another_card(page)
    assert len({(box["y"], round(box["width"]), round(box["height"])) for box in boxes}) == 1
    assert max(box["y"] + box["height"] for box in boxes) <= 720
    assert max(box["x"] + box["width"] for box in boxes) <= 1280
    for words in page.locator("[class*='st-key-card-'] p").all():
        assert words.evaluate("text => text.scrollWidth <= text.clientWidth")
    for width in (390, 768, 1000):  # one in a row of its own is no wider than the others
        page.set_viewport_size({"width": width, "height": 720})
        eventually(lambda: len({round(box["width"]) for box in boxes_of_cards(page)}) == 1)


def test_its_other_address_leads_there_too(open_page):
    page = ready(open_page("/home"))
    expect(page.locator("h1")).to_contain_text("Stuck?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_it_plays_by_itself_and_shows_all_there_is(open_page):
    page = ready(open_page())
    wanted = {"redrawn", "settling", "stuck", "kept", "reverted"}
    seen = set()
    eventually(lambda: seen.add(lit(page)) or seen >= wanted, seconds=40)
    assert page.locator(".pv-hidden[aria-live]").inner_text() == ""  # nor does it talk unasked


def test_the_word_is_that_of_the_frame(open_page):
    page = ready(open_page(motion="reduce"))
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


def test_space_pauses_and_arrows_step(open_page):
    page = ready(open_page())
    eventually(lambda: played(page) > [1, 1])
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    there = played(page)
    said = page.locator(".pv-sentence").inner_text()
    expect(page.locator(".pv-hidden[aria-live]")).to_have_text(said)
    lacking = [pressed for key in KEYS if not key.compact for pressed in key.pressed]
    for key in lacking:
        page.keyboard.press(key)  # what it has no button for
    page.wait_for_timeout(800)
    assert played(page) == there
    pace = "[...globalThis.__prvizTheatres.values()][0].theatre.playback.pace"
    assert page.evaluate(pace) == 1
    page.keyboard.press("?")
    told = page.get_by_role("dialog", name="Keys").locator("dd").all_inner_texts()
    assert told == [key.does for key in keys_of(compact=True)]
    page.keyboard.press("?")
    page.keyboard.press("ArrowRight")
    eventually(lambda: played(page) > there)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()


def test_who_wants_no_motion_sees_none_until_asking_for_it(open_page):
    page = ready(open_page(motion="reduce"))
    there = played(page)
    page.wait_for_timeout(1500)
    assert played(page) == there == [1, 0]
    page.get_by_role("button", name="On one frame").click()
    eventually(lambda: played(page) == [1, 1])
    page.get_by_role("button", name="Play", exact=True).click()
    eventually(lambda: played(page) >= [1, 3])


def test_a_control_makes_a_fresh_run_and_a_pause_is_kept(open_page):
    page = ready(open_page())
    first = run_id(page)
    track(page, "alpha").press("ArrowLeft")
    expect(exact(page, "alpha")).to_have_value("0.69")
    eventually(lambda: run_id(page) != first)
    expect(page.locator(".pv-toast")).to_have_text("α is now 0.69")
    assert covered(page) == []
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.get_by_role("button", name="Pause", exact=True).click()
    second = run_id(page)
    page.get_by_role("button", name="Another seed").click()
    eventually(lambda: run_id(page) != second)
    eventually(lambda: played(page) == [1, 0])
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_timeout(1000)
    assert played(page) == [1, 0]


def test_two_dimensions_are_a_relief(open_page):
    page = ready(open_page())
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


def test_a_card_leads_to_its_page(open_page):
    page = ready(open_page())
    for name, title in [*CARDS.items()][::3]:
        press_card(page, name)
        expect(page.locator("h1")).to_contain_text(title, timeout=60_000)
        assert page.url.endswith(f"/{name}")
        page.get_by_role("link", name="Home").click()
        expect(page.locator("h1")).to_contain_text("Stuck?")


def test_tab_reaches_the_cards_and_enter_follows_them(open_page):
    page = ready(open_page())
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


def test_a_phone_has_no_sideways_scrolling(open_page):
    page = ready(open_page(width=390, height=844, has_touch=True))
    settled(page)
    assert widest(page) <= 390
    canvas, play = page.locator(".pv-canvas"), page.locator(".pv-play")
    assert canvas.bounding_box()["y"] < play.bounding_box()["y"]
    assert play.bounding_box()["y"] + play.bounding_box()["height"] <= 844
    for part in page.locator(".pv-phases li, [class*='st-key-card-']").all():
        box = part.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    play.tap()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_it_comes_back_where_it_was(open_page):
    page = ready(open_page())
    eventually(lambda: played(page)[0] >= 2)
    page.get_by_role("button", name="Pause", exact=True).click()
    there, run = played(page), run_id(page)
    press_card(page, "kmeans")
    expect(page.locator("h1")).to_contain_text(CARDS["kmeans"], timeout=60_000)
    ready(page)
    page.get_by_role("link", name="Home").click()
    expect(page.locator("h1")).to_contain_text("Stuck?")
    eventually(lambda: run_id(page) == run)
    eventually(lambda: played(page) == there)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
