"""Time from a stroke to the first new frame, in headless Chromium.

Run ``python benchmarks/drawing.py``. It starts the real app, sprays points into the picture of the
k-means page, and writes ``results/drawing.md``: milliseconds from the end of a stroke until the new
run's first frame is drawn. Of the two drawings, one fits into a link. Server and browser
share the machine: use a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from contextlib import closing

import numpy as np
from common import Report
from player import CHROMIUM, DRAWN, LOADED, Server
from playwright.sync_api import Browser, sync_playwright

from prviz.datasets.sets.drawn import SIDE, encode

STROKES = 30
PAUSES = (1500.0, 150.0)  # milliseconds from a run's first frame to the next stroke
GOAL = 150.0
MANY = 4000  # points of the large drawing before the strokes
#: Record the time from the end of a stroke to the first drawn frame of the new run.
WATCH = """() => {
  const { theatre } = [...globalThis.__prvizTheatres.values()][0];
  const { scene } = theatre;
  globalThis.took = [];
  let ended = null;
  theatre.drawing.surface.canvas.addEventListener("pointerup", () => {
    ended = { at: performance.now(), frame: theatre.playback.frame };
  }, { capture: true });
  const draw = scene.draw.bind(scene);
  scene.draw = (moment) => {
    draw(moment);
    const { frame } = theatre.playback;
    const fresh = theatre.ready && frame && moment === scene.moment && moment?.after === frame;
    if (!ended || !fresh || frame === ended.frame || frame.call !== 1) return;
    if (theatre.projector.source.id === globalThis.shown) return;
    globalThis.shown = theatre.projector.source.id;
    took.push(performance.now() - ended.at);
    ended = null;
  };
  globalThis.shown = theatre.projector.source.id;
}"""


def strokes(browser: Browser, address: str, pause: float, many: bool) -> list[float]:
    """Return the milliseconds from the end of each stroke to the first frame of its run."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(address)
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(1500)
    if many:
        grid = np.random.default_rng(0).integers(0, SIDE, (MANY, 2))
        page.evaluate(
            "(text) => [...globalThis.__prvizTheatres.values()][0].theatre.redraw(text)",
            encode(grid),
        )
        page.wait_for_timeout(2500)
    page.evaluate(WATCH)
    box = page.locator(".pv-surface").bounding_box()
    rng = np.random.default_rng(1)
    for number in range(STROKES):
        x, y = 0.3 + 0.4 * rng.random(2)
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.mouse.down()
        page.wait_for_timeout(200)
        page.mouse.up()
        page.wait_for_function(f"took.length > {number}", polling=20, timeout=20_000)
        page.wait_for_timeout(pause)
    took = page.evaluate("took")
    page.close()
    return took


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the start"
    where = f"{platform.platform()}; {load}; milliseconds."
    report = Report("From a stroke to the first new frame", where)
    rows = []
    with closing(Server()) as server, sync_playwright() as playwright:
        time.sleep(LOADED)
        browser = playwright.chromium.launch(**CHROMIUM)
        for many in (False, True):
            for pause in PAUSES:
                took = strokes(browser, f"{server.address}/kmeans?data=draw", pause, many)
                said = f"{MANY} points and more" if many else "48 points and more"
                median, worst = statistics.median(took), max(took)
                quickest = f"{min(took):.0f}"
                figures = len(took), quickest, f"{median:.0f}", f"{worst:.0f}"
                rows.append([said, f"{pause:.0f}", *figures])
                print(*rows[-1], flush=True)
        browser.close()
    head = [
        "drawing",
        "pause between strokes",
        "strokes",
        "quickest",
        f"median: ≤ {GOAL:.0f}",
        "worst",
    ]
    report.table("Strokes", head, rows)
    report.write("drawing")


if __name__ == "__main__":
    main()
