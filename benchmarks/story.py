"""Measure when the story of each page (the film after Run) shows its events.

Run ``python benchmarks/story.py``. It starts the real app, presses Run on every page in
headless Chromium, and writes ``results/story.md``: seconds from Run to the first revert, to the
first new best after call 1, and to the end, and whether the story ends at the best configuration.
Server and browser share the machine: use a quiet machine.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Sequence
from contextlib import closing

from common import Report
from player import CHROMIUM, DRAWN, LOADED, Server
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from prviz.ui.catalogue import PAGES

SEEDS = 3
VIEWERS = 3
LONGEST = 60.0  # timeout of a story, in seconds
#: Record the time when each event is first shown. Events 3 and 4 are "kept" and "reverted".
WATCH = """() => {
  const { theatre } = [...globalThis.__prvizTheatres.values()][0];
  document.querySelector(".pv-run").addEventListener("click", () => {
    const began = performance.now();
    const told = globalThis.told = {};
    const note = (what) => { told[what] ??= (performance.now() - began) / 1000; };
    let begun = false;
    const watching = setInterval(() => {
      const { playback, projector } = theatre;
      const { frame, mode } = playback;
      if (mode === "story") begun = true;
      if (!frame || !begun) return;
      const bests = projector.engine.bests;
      if (frame.event === 4) note("revert");
      if (frame.event === 3 && frame.call > 1 && bests.some(([call]) => call === frame.call))
        note("best");
      if (mode !== "paused") return;
      note("end");
      told.at = frame.call;
      told.found = bests.at(-1)?.[0];
      clearInterval(watching);
    }, 20);
  }, { capture: true });
}"""
GOALS = {"revert": "≤ 5", "best": "≤ 10", "end": "20 to 30"}


def opened(browser: Browser, address: str) -> Page:
    """Open a page and wait for Run."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(address)
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(1000)
    page.evaluate(WATCH)
    return page


def told(page: Page) -> dict[str, float]:
    """Return the times of a page's events, after its story has ended."""
    page.wait_for_function("globalThis.told?.at", timeout=1000 * LONGEST)
    found = page.evaluate("told")
    page.close()
    return found


def ends_together(browsers: list[Browser], address: str) -> list[str]:
    """Press Run in all browsers at the same time; return the seconds until each story ends."""
    pages = [opened(browser, address) for browser in browsers]
    for page in pages:
        page.locator(".pv-run").click()
    return [f"{told(page)['end']:.1f}" for page in pages]


def crowded(playwright: Playwright, address: str, pages: Sequence[str]) -> list[list[str]]:
    """Measure the time to the end of each page's story in three browsers, while a race runs."""
    browsers = [playwright.chromium.launch(**CHROMIUM) for _ in range(VIEWERS)]
    race = browsers[0].new_page()
    race.goto(f"{address}/race?runs=100&each=60")
    race.locator(".pv-race .pv-run").click()
    rows = []
    for page in pages:
        rows.append([page, *ends_together(browsers, f"{address}/{page}")])
        print(*rows[-1], flush=True)
    for browser in browsers:
        browser.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=PAGES, help="pages to measure (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the seeds")
    args = parser.parse_args()
    seeds = max(1, round(SEEDS * args.scale))
    report = Report(
        "What a story shows, and when",
        f"Seconds are counted from the press of Run. {platform.platform()}.",
    )
    rows = []
    with closing(Server()) as server, sync_playwright() as playwright:
        time.sleep(LOADED)
        browser = playwright.chromium.launch(**CHROMIUM)
        for page in args.pages:
            for seed in range(seeds):
                watched = opened(browser, f"{server.address}/{page}?seed={seed}")
                watched.locator(".pv-run").click()
                found = told(watched)
                at = found["at"], found["found"]
                ends = "the best" if at[0] == at[1] else f"call {at[0]}, the best is {at[1]}"
                rows.append([page, seed, *(f"{found[what]:.1f}" for what in GOALS), ends])
                print(*rows[-1], flush=True)
        browser.close()
        together = crowded(playwright, server.address, args.pages)
    goals = [f"first {what}: {goal}" for what, goal in list(GOALS.items())[:2]]
    head = ["page", "seed", *goals, f"end: {GOALS['end']}", "it ends on"]
    report.table("Stories", head, rows)
    viewers = [f"browser {i + 1}" for i in range(VIEWERS)]
    title = "Seconds to the end of a story in three browsers, during a race (goal: ≤ 30)"
    report.table(title, ["page", *viewers], together)
    if args.scale >= 1 and tuple(args.pages) == PAGES:
        report.write("story")


if __name__ == "__main__":
    main()
