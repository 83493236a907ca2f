"""The player executes Algorithm 1 line by line."""

import time

import numpy as np
import pytest
from picture import shown

import prviz
from prviz.datasets import Points
from prviz.engine.schedule import Level
from prviz.player.live import LiveRun
from prviz.scenes.kmeans import KMeansScene
from prviz.search.reference import LISTING

N = 6
POINTS = Points(np.random.default_rng(3).random((40, 2)), "Forty points", "made for this test")
PROBLEM = prviz.kmeans(POINTS.points, N)


def replayed(levels, seed, path):
    """Write the replay of a whole run."""
    run = LiveRun(PROBLEM, KMeansScene(POINTS, PROBLEM), levels, seed, calls=1000)
    run.start()
    while run.active:
        time.sleep(0.01)
    path.write_text(run.replay(range(1, 1001)), "utf-8")
    run.close()
    return path


TOLD = [line.strip().replace("ₗ", "l") for line in LISTING]  # the lines as text, without subscripts
LEVELS = [Level(1, 2), Level(3, 2), Level(N, 2)]
FIRST_LINES = [  # (line, level) of Algorithm 1 on three levels, by hand
    *[(1, 3), (3, 3), (4, 3), (5, 3), (1, 2), (3, 2), (4, 2)],
    *[(5, 2), (1, 1), (3, 1), (4, 1), (5, 1), (1, 0), (2, 0)],
]


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    return replayed(LEVELS, 0, tmp_path_factory.mktemp("replay") / "three.html")


@pytest.fixture
def three_levels(open_replay, replay_file):
    return open_replay(replay_file, 1280, 720)


def card(page, name):
    return page.locator(".pv-card", has=page.get_by_text(name, exact=True))


def test_keys_and_buttons_step_by_line(three_levels):
    page = three_levels
    page.keyboard.press("Comma")  # opens the listing, one line before the first frame
    back, on = (
        page.get_by_role("button", name=name) for name in ("Back one line", "Forward one line")
    )
    back.click()
    back.click()  # there is no earlier line
    seen = []
    for line, level in FIRST_LINES:
        title = f"l = {level}" + (", a restart" if level == 3 else "")
        page.wait_for_function(
            "([line, title]) => document.querySelector('[aria-current=step]')?.textContent === line"
            " && document.querySelector('.pv-panel h2').textContent === title",
            arg=[TOLD[line - 1], title],
        )
        seen.append(page.locator(".pv-sentence").inner_text())
        on.click()
    assert seen[:5] == [
        "Restart is called.",
        "Restart: there is no configuration yet for its checkpoint x₀.",
        "Restart 1: all 6 centres redrawn.",
        "Restart calls level 2: 1 of 2.",
        "Level 2 is called.",
    ]
    assert seen[5].startswith("Level 2: x becomes its checkpoint x₀, WCSS ")
    assert seen[7] == "Level 2 calls level 1: 1 of 2."
    assert seen[11:13] == ["Level 1 calls the local optimiser once.", "Lloyd is called."]


def test_checkpoint_card_changes_at_the_line_that_sets_the_checkpoint(three_levels):
    page = shown(three_levels, 1, 1)
    page.keyboard.press("Comma")  # the line in which level 2 sets its checkpoint
    kept = card(page, "Level 2").locator(".pv-card-cost")
    cost = kept.inner_text()
    assert cost not in ("none yet", "–")
    page.keyboard.press("Comma")
    page.wait_for_function(
        "document.querySelector('.pv-sentence').textContent === 'Level 2 is called.'"
    )
    assert kept.inner_text() == "none yet"
    page.keyboard.press("Period")
    page.wait_for_function("document.querySelector('.pv-sentence').textContent.includes('x₀')")
    assert kept.inner_text() == cost


def test_jumps_alternate_between_redraw_and_decision_of_a_level(three_levels):
    page = three_levels
    page.evaluate("theatre.projector.film.add(theatre.projector.source.data.frames)")
    page.get_by_label("Kind to jump to").select_option("level 2")
    # Level 2 redraws in calls 1, 3, 5 and 7. It decides in calls 2, 4, 6 and (unseen) 8.
    where = []
    page.evaluate("theatre.playback.seek(1, 'start')")
    for key in "nnnnnnpppp":
        page.keyboard.press(key)
        page.wait_for_function("!theatre.playback.pending")
        where.append(
            page.evaluate("({call, event, level} = theatre.playback.frame, [call, event, level])")
        )
    redraws, decisions = where[0:6:2], where[1:6:2]
    assert [(call, level) for call, _, level in redraws] == [(1, 2), (3, 2), (5, 2)]
    assert [(call, level) for call, _, level in decisions] == [(2, 2), (4, 2), (6, 2)]
    assert {event for _, event, _ in redraws} == {1}
    assert {event for _, event, _ in decisions} <= {3, 4}
    assert where[6:] == where[4:0:-1]


def test_every_card_shows_its_checkpoint(three_levels):
    page = three_levels
    # before the first restart has ended, level 3 has no checkpoint
    page.wait_for_function("theatre.checkpoints.drawn[2] === null")
    assert page.evaluate(
        """() => {
            const { picture } = theatre.cards.cards[2];
            const { data } = picture.getContext("2d")
                .getImageData(0, 0, picture.width, picture.height);
            return data.every((value) => value === 0);
        }"""
    )
    shown(page, 8, 2)
    # the frames of two cards must be loaded first
    page.wait_for_function("theatre.checkpoints.drawn.every((frame) => frame)")
    drawn = page.evaluate(
        "theatre.checkpoints.drawn.map((frame) => frame && [frame.call, frame.sub, frame.cost])"
    )
    costs = page.evaluate("[...theatre.playback.frame.checkpoints]")
    calls = [call for call, _, _ in drawn]
    assert calls == [7, 6, 4]  # levels 1, 2 and 3 redraw in the calls after these
    for (_, _, cost), checkpoint in zip(drawn, costs, strict=True):
        assert cost == pytest.approx(checkpoint, rel=1e-12)
