"""Lessons work in a real browser with a real server."""

import re

import pytest
from browsing import at_rest, ready, settled, widest
from playwright.sync_api import expect
from test_accessible import PHONE, grave, look_at

from prviz.lessons import load, pinned

WORDS = ".st-key-lesson-words"


def title(page):
    return page.locator("h1")


def reach(page, name, most=60):
    """Press Tab until the element with this name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            """() => {
                const one = document.activeElement;
                const told = one.matches("a, button, input"); // not the page as a whole
                return told ? `${one.getAttribute("aria-label") ?? ""} ${one.innerText}` : "";
            }"""
        )
        if name in focus:
            return
    raise AssertionError(f"no Tab leads to {name}")


#: Record the server's answers to the page, by address.
HEAR = """
globalThis.heard = [];
const asked = globalThis.fetch;
globalThis.fetch = async (...what) => {
  const answer = await asked(...what);
  answer.clone().text().then((text) => heard.push([answer.url, text]), () => {});
  return answer;
};
"""


def test_answer_is_hidden_before_the_bet(open_page, server):
    lesson = load(3)
    kept = pinned.load(lesson)
    secrets = [kept.trace, lesson.after[:40], kept.answers.found(), "This seed"]
    page = open_page("about:blank", base="")
    frames = []

    def note(frame):
        frames.append(frame if isinstance(frame, bytes) else frame.encode())

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    page.add_init_script(HEAR)
    page.goto(f"{server}/learn?lesson=3")
    ready(page)
    page.get_by_role("button", name="Run", exact=True).click()  # watch the whole run
    settled(page)

    def told():
        """Return all responses so far, and the requested runs."""
        heard = page.evaluate("heard")
        runs = {url.split("/runs/")[1].split("/")[0] for url, _ in heard if "/runs/" in url}
        words = [page.content(), *(text for _, text in heard)]
        return b"\n".join([*frames, *(text.encode() for text in words)]), runs

    before, seen = told()
    assert lesson.question.words.encode() in before  # the responses include the lesson's texts
    assert len(seen) == 1 and [one for one in secrets if one.encode() in before] == []
    page.locator(WORDS).get_by_text("kept", exact=True).click()
    page.get_by_role("button", name="Bet").click()
    expect(page.locator(WORDS)).to_contain_text(kept.answers.found())
    # the run continues to the call that the question asks about
    expect(page.locator(".pv-where")).to_contain_text("call 11, ")
    settled(page)
    after, all_ = told()
    assert len(all_ - seen) == 1  # the answer shows one more run
    assert [one for one in secrets if one.encode() not in after] == []


@pytest.mark.long
def test_lesson_works_by_keyboard_and_is_stored(open_page):
    page = ready(open_page("/learn"))
    expect(title(page)).to_have_text("Stuck")
    settled(page)
    reach(page, "At what gap")
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    expect(page.locator(WORDS)).to_contain_text("You: 60 %. This seed: ")
    settled(page)
    reach(page, "Next: A restart forgets")
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("A restart forgets")
    expect(page).to_have_url(re.compile(r"/learn\?lesson=2$"))
    # another visit: the browser has stored the bet
    page.goto(page.url.replace("lesson=2", "lesson=1"))
    expect(page.locator(WORDS)).to_contain_text("You: 60 %. This seed: ")
    page.get_by_role("button", name="Forget my bets").click()
    expect(page.locator(WORDS)).to_contain_text("Your bet.")
    page.wait_for_function("localStorage.getItem('prviz-lessons') === '{}'")


#: The contrast of the first answer's ring with the page.
RING = """() => {
    const g = new OffscreenCanvas(1, 1).getContext("2d");
    const paint = (colour) => {
        g.fillStyle = colour;
        g.fillRect(0, 0, 1, 1);
        return [...g.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (parts) => parts.map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const ring = document.querySelector("[data-testid=stRadioOption] > div > div");
    const colours = [document.querySelector(".stApp"), ring].map((node) => getComputedStyle(node));
    const [page, edge] = [colours[0].backgroundColor, colours[1].borderTopColor].map(paint);
    const [low, high] = [light(page), light(edge)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
}"""


def test_lesson_on_a_phone_has_a_legend_and_the_curve_and_visible_rings(open_page):
    page = ready(open_page("/learn?lesson=3", width=390, height=844, view="simple", plotly=True))
    expect(page.locator(".pv-plot .main-svg").first).to_be_visible()
    scene, key, said, curve = (
        page.locator(name).bounding_box()
        for name in (".pv-scene", ".pv-key", ".pv-sentence", ".pv-curve")
    )
    assert scene["y"] + scene["height"] < key["y"] < said["y"] < curve["y"]
    assert scene["height"] > 220 and curve["height"] > 120
    assert page.locator(".pv-key > span").all_inner_texts() == [
        *("kept", "partial", "full", "no centre", "two or more")
    ]
    for scheme in ("light", "dark"):
        look_at(page, scheme, 390, 844)
        assert page.evaluate(RING) >= 3, scheme


@pytest.mark.long
def test_curve_can_be_drawn_on_a_phone(open_page):
    page = ready(open_page("/learn?lesson=2&present=1", width=390, height=844, motion="reduce"))
    page.keyboard.press("f")
    assert widest(page) <= 390
    look_at(page, *PHONE)
    assert grave(page) == []
    field = page.locator(".field")
    field.scroll_into_view_if_needed()
    box = at_rest(field.bounding_box)  # leaving presentation mode moves the page
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 0.1 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.5 * box["height"], steps=12)
    page.mouse.up()
    ranges = page.locator(".field input")
    heights = [float(ranges.nth(i).input_value()) for i in range(4)]
    assert heights == sorted(heights, reverse=True) and heights[0] > 1.4 * heights[3]
    ranges.nth(3).press("ArrowUp")
    assert float(ranges.nth(3).input_value()) > heights[3]
    page.get_by_role("button", name="Bet on this curve").click()
    expect(page.locator(WORDS)).to_contain_text("at the end. After 100 calls, this seed:")

    page.get_by_role("link", name="Next: Redraw only one").click()
    expect(title(page)).to_have_text("Redraw only one")
    k1 = page.locator("[class*='-k1-exact'] input")
    expect(k1).to_be_disabled()
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Bet", exact=True).click()
    expect(page.locator(WORDS)).to_contain_text("This seed: reverted")
    expect(title(page)).to_have_text("Redraw only one")
    assert "lesson=3" in page.evaluate("location.search")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()  # nothing moves
    expect(k1).to_be_enabled()
    assert widest(page) <= 390
    k1.fill("50")
    k1.press("Enter")
    expect(page.locator(".pv-toast")).to_contain_text("k₁ is now 50")
    expect(page.locator(".pv-card-name").nth(1)).to_have_text("Restart")

    page.get_by_role("link", name="2 A restart forgets").click()
    expect(title(page)).to_have_text("A restart forgets")
    expect(page).to_have_url(re.compile(r"lesson=2"))
