"""One key leads a class (projector, notes and phone) through the 10-minute lesson."""

import pytest
from playwright.sync_api import expect
from serving import QUIET, Server
from test_accessible import grave

from prviz.classroom.plans import PLANS
from prviz.lessons import load, pinned

SECRET = "a-secret-of-a-test"
PATIENCE = 60_000  # milliseconds that the first page of a server, or the rest of a run, may take


@pytest.fixture
def class_server(tmp_path):
    with Server(tmp_path / "log.txt", PRVIZ_CLASS=SECRET) as started:
        yield started.address


@pytest.mark.long
def test_one_key_leads_the_ten_minute_lesson(class_server, watched_page):
    projector, phone = watched_page(1280, 720), watched_page(390, 844)
    projector.goto(f"{class_server}/lecture?key={SECRET}")
    assert projector.url == f"{class_server}/lecture"
    assert grave(projector) == []
    notes = projector.context.new_page()
    notes.goto(f"{class_server}/learn?lesson=1&notes=1")
    phone.goto(f"{class_server}/join")
    projector.get_by_role("link", name="10-minute").click()
    panel, status = projector.locator(".pv-classroom"), phone.get_by_role("status")
    expect(panel).to_contain_text("1 person is here", timeout=PATIENCE)

    def press(does):
        """Check that the notes announce ``does`` for the key Page Down, and press it."""
        expect(notes.locator(".next")).to_contain_text(f"page down: {does}", timeout=PATIENCE)
        projector.bring_to_front()
        projector.keyboard.press("PageDown")

    press("hide the address")
    stops = [step.stop for step in PLANS["10"] if step.stop.isdecimal()]
    for stop, after in zip(stops, [*stops[1:], ""], strict=True):
        question = pinned.load(load(stop)).answers
        press("play")
        press("ask")
        expect(phone.locator("h1")).to_have_text(question.question.words)
        assert grave(phone) == []
        if question.kind.bets == "word":
            phone.get_by_role("button", name=str(question.this), exact=True).click()
        else:
            phone.get_by_role("textbox").fill(f"{question.middle()[1]:g}")
            phone.get_by_role("button", name="Bet").click()
        expect(status).to_contain_text("You can change it")
        expect(panel).to_contain_text("1 of 1 has bet.")
        assert "his seed" not in panel.inner_text()
        expect(notes.locator("main")).to_contain_text(question.found())
        press("show the answer")
        expect(status).to_contain_text("You were right! Your bet: ", timeout=PATIENCE)
        expect(panel).to_contain_text("1 of 1 was right.")
        expect(panel.locator(".pv-class-right")).to_have_count(1)
        projector.wait_for_timeout(1600)  # Page Down does nothing for 1.5 s after an answer
        if not after:
            assert grave(projector, ".pv-classroom") == []
            assert grave(notes) == []
        press(f"go to lesson {after}" if after else "let everyone search")
    phone.get_by_role("button", name="Search").click(timeout=PATIENCE)
    expect(panel).to_contain_text("of 1 searches", timeout=PATIENCE)
    assert grave(projector, ".pv-classroom") == []
    assert grave(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    press("end the searches")
    expect(notes.locator("main")).to_contain_text("Nobody chose the seeds.")
    expect(status).to_contain_text("The lesson has ended.")


@pytest.mark.long
def test_plan_and_question_continue_after_a_server_restart(tmp_path, browser):
    screens, phones = browser.new_context(), browser.new_context()
    projector, phone = screens.new_page(), phones.new_page()
    with Server(tmp_path / "log.txt", PRVIZ_CLASS=SECRET) as former:
        projector.goto(f"{former.address}/lecture?key={SECRET}")
        notes = screens.new_page()
        notes.goto(f"{former.address}/lecture?notes=1")
        phone.goto(f"{former.address}/join")
        projector.get_by_role("link", name="10-minute").click()
        panel = projector.locator(".pv-classroom")
        expect(panel).to_contain_text("1 person is here", timeout=PATIENCE)
        for does in ("hide the address", "play", "ask"):
            expect(notes.locator(".next")).to_contain_text(f"page down: {does}", timeout=PATIENCE)
            projector.bring_to_front()
            projector.keyboard.press("PageDown")
        expect(phone.get_by_role("textbox")).to_be_visible()
    expect(phone.get_by_role("status")).to_contain_text("Waiting for the class")
    options = {**QUIET, "server.port": former.port}
    with Server(tmp_path / "log.txt", options, PRVIZ_CLASS=SECRET):
        expect(phone.get_by_role("status")).to_contain_text("Place your bet", timeout=PATIENCE)
        phone.get_by_role("textbox").fill("75")
        phone.get_by_role("button", name="Bet").click()
        expect(panel).to_contain_text("1 of 1 has bet.", timeout=PATIENCE)
        for does in ("show the answer", "go to lesson 3"):
            expect(notes.locator(".next")).to_contain_text(f"page down: {does}", timeout=PATIENCE)
            projector.bring_to_front()
            projector.wait_for_timeout(1600)  # Page Down does nothing for 1.5 s after an answer
            projector.keyboard.press("PageDown")
        expect(panel).to_contain_text("Lesson 3", timeout=PATIENCE)
    screens.close()
    phones.close()
