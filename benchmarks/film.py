"""Export a film of a restart on every page, in headless Chromium.

Run ``python benchmarks/film.py``. It starts the real app and waits for the end of a search. Then it
exports ten seconds of the first restart at 720 pixels as GIF and as video, through the page's
dialog. It writes ``results/film.md``: seconds, bytes, the error of the size estimate, and the
longest freeze of the page. Use a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from contextlib import closing
from pathlib import Path

import psutil
from common import Report
from player import CHROMIUM, DRAWN, LOADED, Server
from playwright.sync_api import Browser, Page, sync_playwright

from prviz.ui.catalogue import PAGES

REPEATS = 3
LONGEST = 120_000  # timeout of a search or a film, in milliseconds
GOALS = {"GIF": ("≤ 4", "≤ 6"), "Video": ("≤ 2", "–")}
#: Record the longest gap between frames of the page while the film is exported.
WATCH = """() => {
  globalThis.still = 0;
  let before = performance.now();
  const look = (now) => {
    globalThis.still = Math.max(still, now - before);
    before = now;
    if (globalThis.still >= 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
EXPECTED = """async () => {
  const { promise, resolve } = Promise.withResolvers();
  const button = document.querySelector(".pv-film-go");
  const look = () => (button.disabled ? setTimeout(look, 20) : resolve());
  look();
  await promise;
  return document.querySelector(".pv-film-told").textContent;
}"""


def tried(page: Page) -> tuple[float, float]:
    """Return the expected size in bytes, and the seconds until the dialog shows it."""
    began = time.perf_counter()
    number, unit = page.evaluate(EXPECTED).rstrip(".").split("about ")[1].split("\u202f")
    factor = {"kB": 1e3, "MB": 1e6}[unit]
    return float(number) * factor, time.perf_counter() - began


def worked() -> float:
    """Return the CPU seconds of all live processes of the browser."""
    times = [
        process.cpu_times()
        for process in psutil.Process().children(recursive=True)
        if "chrom" in process.name()
    ]
    return sum(spent.user + spent.system for spent in times)


def filmed(page: Page) -> tuple[int, float, float, float]:
    """Return bytes, seconds, the browser's CPU seconds, and the longest freeze of the page."""
    page.evaluate(WATCH)
    began, before = time.perf_counter(), worked()
    with page.expect_download(timeout=LONGEST) as download:
        page.locator(".pv-film-go").click()
    taken, spent = time.perf_counter() - began, worked() - before
    still = page.evaluate("() => { const found = still; still = -1; return found; }")
    return Path(download.value.path()).stat().st_size, taken, spent, still / 1000


def films(browser: Browser, address: str, repeats: int) -> dict[str, list]:
    """Export each film in each format, and return all measurements."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(address)
    page.wait_for_function(DRAWN)
    page.locator(".pv-run").click()
    page.wait_for_function(
        "[...__prvizTheatres.values()][0].theatre.projector.engine.over", timeout=LONGEST
    )
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("menuitem", name="Film").click()
    found: dict[str, list] = {name: [] for name in GOALS}
    for _ in range(repeats):
        for name, seen in found.items():
            page.get_by_role("radio", name=name).check()
            expected, waited = tried(page)
            seen.append((expected, waited, *filmed(page)))
    page.close()
    return found


def shown(expected: float, waited: float, size: float, *seconds: float) -> list[str]:
    taken, spent, still = (f"{number:.1f}" for number in seconds)
    return [f"{size / 1e6:.2f}", taken, spent, f"{size / expected:.2f}", f"{waited:.1f}", still]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=PAGES, help="pages to film (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the repeats to run")
    args = parser.parse_args()
    repeats = max(1, round(REPEATS * args.scale))
    report = Report(
        "Films: ten seconds of the first restart, 720 pixels wide",
        f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the "
        f"start; medians of {repeats} films. Server and browser share the machine. Estimate: "
        "seconds until the dialog shows the expected size, including the time to fetch the frames. "
        "CPU: CPU seconds of the browser's processes for drawing, reading back and encoding.",
    )
    rows: dict[str, list] = {name: [] for name in GOALS}
    with closing(Server()) as server, sync_playwright() as playwright:
        time.sleep(LOADED)
        browser = playwright.chromium.launch(**CHROMIUM)
        for page in args.pages:
            for name, found in films(browser, f"{server.address}/{page}?seed=0", repeats).items():
                measured = map(statistics.median, zip(*found, strict=True))
                rows[name].append([page, *shown(*measured)])
                print(name, *rows[name][-1], flush=True)
        browser.close()
    for name, (size, seconds) in GOALS.items():
        head = ["page", f"MB: {size}", f"seconds: {seconds}", "CPU s",
                "size / estimate: ≥ 0.5, ≤ 2", "estimate, s", "longest freeze, s"]  # fmt: skip
        report.table(name, head, rows[name])
    if args.scale >= 1 and tuple(args.pages) == PAGES:
        report.write("film")


if __name__ == "__main__":
    main()
