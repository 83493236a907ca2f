"""For points with many columns, the text below the picture describes the projection."""

import time

import numpy as np

import prviz
from prviz.datasets import Points
from prviz.player.live import LiveRun
from prviz.scenes.kmeans import KMeansScene

ROOM = """
() => {
  const { view, node, canvas, shown, legend } = theatre.scene;
  const box = (part) => part.getBoundingClientRect();
  return {
    label: canvas.getAttribute("aria-label"),
    words: shown.textContent,
    within: box(shown).bottom <= box(legend).top + 1 && box(legend).bottom <= box(node).bottom,
    free: box(node).bottom - view.foot <= box(shown).top,
    height: box(node).height,
  };
}
"""


def test_text_is_between_picture_and_legend(open_replay, tmp_path):
    points = np.random.default_rng(4).normal(size=(300, 7))
    points[0] = 1e6
    problem = prviz.kmeans(points, 4)
    scene = KMeansScene(Points(points, "Seven columns", "made for this test"), problem)
    run = LiveRun(problem, scene, [prviz.Level(1, 5), prviz.Level(4)], calls=3)
    run.start()
    while run.active:
        time.sleep(0.01)
    (tmp_path / "seven.html").write_text(run.replay(range(1, 4)), "utf-8")
    run.close()
    page = open_replay(tmp_path / "seven.html", 1280, 720)
    for width, height in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(w) => theatre.scene.view.width < w", arg=width)
        found = page.evaluate(ROOM)
        assert found["words"] == scene.shown
        assert "all but the farthest point" in found["words"]
        assert found["label"].endswith(scene.shown)
        assert found["within"] and found["free"]
        page.get_by_role("button", name="Forward one frame").first.click()
        assert page.evaluate(ROOM)["height"] == found["height"]
