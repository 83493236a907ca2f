"""Measure the Race page in headless Chromium against its goals.

Run ``python benchmarks/race.py``. It starts the real app, runs races as a viewer does, and writes
``results/race.md``. Server, browser and race share the machine: use a quiet machine.
"""

from __future__ import annotations

import argparse
import gzip
import platform
import statistics
import time
from contextlib import closing

from common import Report
from player import CHROMIUM, LOADED, Server
from playwright.sync_api import Page, sync_playwright

import prviz
from prviz.datasets import a3_like
from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Reinitialisation
from prviz.experiments.runs.runner import Budget
from prviz.player.batch.contest import Contest, Words

WATCHED = 8.0  # seconds for which updates are counted
#: Count the answers that change the page: new results, or dots that moved.
COUNT = """() => {
  globalThis.told = { answers: [], fresh: 0, last: "" };
  const before = globalThis.fetch;
  globalThis.fetch = async (...given) => {
    const answer = await before(...given);
    if (String(given[0]).includes("/shown")) {
      const text = await answer.clone().text();
      const { version, lanes } = JSON.parse(text);
      const now = `${version} ${JSON.stringify(lanes)}`;
      told.answers.push(performance.now());
      if (lanes && now !== told.last) told.fresh += 1;
      told.last = now;
    }
    return answer;
  };
}"""


def opened(page: Page, address: str, query: str) -> None:
    page.goto(f"{address}/race?{query}")
    page.locator(".pv-race .pv-run").wait_for()
    page.wait_for_timeout(2000)
    page.evaluate(COUNT)


def raced(page: Page) -> dict[str, float]:
    """Run one race from Run to Stop, then open the replay of a dot."""
    found = {}
    run = page.locator(".pv-race .pv-run")
    began = time.perf_counter()
    run.click()
    page.wait_for_function(
        "document.querySelector('.pv-race .legendtext')?.textContent.includes('n = ')"
    )
    found["first band, s"] = time.perf_counter() - began
    fresh, since = page.evaluate("told.fresh"), time.perf_counter()
    page.wait_for_function(
        "document.querySelector('.pv-race-words').textContent.includes('is ahead of full from ')"
    )
    found["crossover with its interval, s"] = time.perf_counter() - began
    page.wait_for_timeout(max(0.0, 1000 * (WATCHED - (time.perf_counter() - since))))
    seconds = time.perf_counter() - since
    found["updates a second"] = (page.evaluate("told.fresh") - fresh) / seconds
    began = time.perf_counter()
    run.click()
    page.wait_for_function("document.querySelector('.pv-race .pv-run').textContent === 'Run again'")
    found["Stop, s"] = time.perf_counter() - began
    dots = page.locator(".pv-strips-canvas")
    dots.focus()
    dots.press("ArrowRight")
    began = time.perf_counter()
    dots.press("Enter")
    page.wait_for_function("document.querySelector('.pv-where')?.textContent.includes('call')")
    found["open a dot's replay, s"] = time.perf_counter() - began
    return found


GOALS = {
    "first band, s": "≤ 1",
    "crossover with its interval, s": "≤ 10",
    "updates a second": "≥ 5",
    "Stop, s": "≤ 0.3",
    "open a dot's replay, s": "≤ 0.5",
}


def summaries(seeds: int) -> tuple[float, float, int]:
    """Return the CPU seconds of a summary with and without resampling, and the compressed bytes."""
    data = a3_like()
    problem = prviz.kmeans(data.points, 50)
    contenders = {
        "partial": Reinitialisation(Schedule.from_levels([Level(1, 100), Level(50)], 50)),
        "full": Reinitialisation(Schedule.from_levels([Level(50)], 50)),
    }
    budget = Budget("iterations", 400, data.best_known * (1 + 1e-5))
    words = Words("k-means", "WCSS")
    contest = Contest(problem, contenders, range(seeds), budget, words, data.best_known)
    contest.start()
    while contest.active:
        time.sleep(0.1)
    began = time.thread_time()
    contest.shown()
    whole = time.thread_time() - began
    began = time.thread_time()
    answer = contest.shown()
    again = time.thread_time() - began
    contest.close()
    return whole, again, len(gzip.compress(answer, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the races")
    given = parser.parse_args()
    races = max(1, round(5 * given.scale))
    report = Report(
        "The Race page",
        f"{platform.platform()}; medians and worst of {races} races per number of runs.",
    )
    with closing(Server()) as server, sync_playwright() as playwright:
        time.sleep(LOADED)
        browser = playwright.chromium.launch(**CHROMIUM)
        for n in (20, 100):
            found = []
            for _ in range(races):
                page = browser.new_page(viewport={"width": 1280, "height": 720})
                opened(page, server.address, f"runs={n}&each=10")
                found.append(raced(page))
                page.close()
            rows = []
            for what, goal in GOALS.items():
                values = [each[what] for each in found]
                worst = min(values) if what.startswith("updates") else max(values)
                rows.append([what, goal, f"{statistics.median(values):.2f}", f"{worst:.2f}"])
            report.table(
                f"k-means on A3-like, {n} partial and {n} full runs",
                ["what", "goal", "median", "worst"],
                rows,
            )
        browser.close()
    rows = []
    for n in (20, 100, 1000):
        whole, again, size = summaries(n)
        goal = "≤ 1" if n == 1000 else ""
        row = [f"{n} + {n}", goal, f"{whole:.2f}", f"{again:.3f}", "≤ 20", f"{size / 1000:.1f}"]
        rows.append(row)
    head = [
        "runs",
        "goal, s",
        "total, CPU s",
        "without resampling, CPU s",
        "goal, kB",
        "kB an update",
    ]
    report.table("Summaries", head, rows)
    report.write("race")


if __name__ == "__main__":
    main()
