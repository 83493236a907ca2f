"""Measure the memory of a real server with real tabs against its goals.

Run ``python benchmarks/memory.py`` on Linux. Tabs without a browser (``tabs.py``) send the server
the same requests as pages do; a class of thirty consists of 29 such tabs and one browser. The
script writes ``results/memory.md``. Use a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

import psutil
from common import Report
from player import CHROMIUM, Server, opened
from playwright.sync_api import sync_playwright
from tabs import PACE, Tab, Viewer

from prviz.ui.catalogue import PAGES

LOADED = 30.0  # seconds until a server has loaded the kernels of all pages
LEFT = 120.0  # seconds until nothing of a closed tab should be left
TOGETHER = 5  # tabs that open at a time
MEGABYTE = 1e6
T = TypeVar("T")
WAITS = """() => {
  const theatre = [...globalThis.__prvizTheatres.values()][0].theatre;
  return theatre.narrator.notice.hidden ? "" : theatre.narrator.notice.textContent;
}"""


class Watched(Server):
    """Start the app, and track its memory and its error messages."""

    def __init__(self, **environment: str):
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - open until the server ends
        super().__init__(self._said, **environment)
        self.memory = psutil.Process(self.process.pid)
        time.sleep(max(0.0, self.began + LOADED - time.perf_counter()))

    @property
    def megabytes(self) -> float:
        return self.memory.memory_info().rss / MEGABYTE

    @property
    def exceptions(self) -> int:
        self._said.seek(0)
        return self._said.read().count(b"Traceback")


@contextmanager
def serving() -> Iterator[Watched]:
    server = Watched()
    try:
        yield server
    finally:
        server.close()


def say(text: str) -> None:
    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run_once(tab: Tab, seconds: float = 1.0) -> None:
    """Start the run, watch for a moment, and wait for the end."""
    tab.ask("start", "POST")
    viewer, began = Viewer(tab), time.monotonic()
    while time.monotonic() - began < seconds:
        viewer.look()
    tab.ended()


def idle_and_held(n: int) -> list[list[str]]:
    """Measure a server that nobody has visited, then open tabs with one finished run each."""
    with serving() as server:
        rows = [["idle, all kernels loaded", "≤ 350 MB", f"{server.megabytes:.0f} MB", "1"]]
        tabs = []
        for page in PAGES:
            tabs.append(Tab(server.address, page))  # the first tab loads the modules that all share
            run_once(tabs[-1])
            time.sleep(3)
            before = server.megabytes
            say(f"finished runs: {page}")
            tabs += at_once(lambda i, page=page: _open(server, page, i + 1), n)
            time.sleep(3)
            each = (server.megabytes - before) / n
            what = f"an open tab with a finished run: {page}"
            rows.append([what, "≤ 25 MB", f"{each:.1f} MB", str(n)])
        for tab in tabs:
            tab.close()
    return rows


def _open(server: Watched, page: str, seed: int) -> Tab:
    tab = Tab(server.address, page, f"seed={seed}")
    run_once(tab)
    return tab


def at_once(do: Callable[[int], T], n: int) -> list[T]:
    """Run several visits together, and return their results."""
    with ThreadPoolExecutor(TOGETHER) as together:
        return list(together.map(do, range(n)))


def growth(n: int) -> list[list[str]]:
    """Measure the memory that is not freed after tabs open, run three times and close."""
    with serving() as server:
        say("loading the modules that all pages share")
        at_once(lambda i: _visit(server, PAGES[i]), len(PAGES))
        time.sleep(LEFT + 10)
        before = server.megabytes
        say("open, run three times and close")
        at_once(lambda i: _visit(server, PAGES[i % len(PAGES)]), n)
        soon = (server.megabytes - before) / n
        say(f"{LEFT:g} s later")
        time.sleep(LEFT + 10)
        later = (server.megabytes - before) / n
    what = "a tab that was closed after three runs, all pages in turn"
    return [
        [f"{what}; immediately", "–", f"{soon:.1f} MB", str(n)],
        [f"{what}; two minutes later", "≤ 5 MB", f"{later:.1f} MB", str(n)],
    ]


def sequence(n: int) -> list[list[str]]:
    """Open k-means tabs one after another, run each three times, close it, and measure."""
    with serving() as server:
        _visit(server, "kmeans")  # the first tab loads the modules that all share
        before, after = server.megabytes, []
        for i in range(n):
            say(f"k-means, one after another: {i + 1}/{n}")
            _visit(server, "kmeans", f"seed={i}")
            after.append(server.megabytes)
        say(f"{LEFT:g} s later")
        time.sleep(LEFT + 10)
        later = server.megabytes
    what = "k-means tabs one after another, three runs each"
    half, last = (statistics.mean(after[a:b]) for a, b in ((n // 4, n // 2), (3 * n // 4, n)))
    return [
        [f"{what}: memory of the server after the first", "–", f"{before:.0f} MB", "1"],
        [f"{what}: per tab, immediately", "–", f"{(after[-1] - before) / n:.1f} MB", str(n)],
        [f"{what}: per tab, two minutes later", "≤ 5 MB", f"{(later - before) / n:.1f} MB", str(n)],
        [f"{what}: memory of the server in the second and in the last quarter", "–",
         f"{half:.0f}, {last:.0f} MB", str(n)],
    ]  # fmt: skip


def _visit(server: Watched, page: str, query: str = "") -> None:
    tab = Tab(server.address, page, query)
    for i in range(3):
        if i:
            tab.press("Another seed")
        run_once(tab)
    tab.close()


def crowd(n: int, seconds: float) -> list[list[str]]:
    """Measure many tabs that run and play at once: one in a browser, the others simulated."""
    with serving() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        page, _ = opened(browser, server, "/kmeans?seed=99")
        tabs = []
        for i in range(n - 1):
            say(f"opening tab {i + 1}/{n - 1}")
            tabs.append(Tab(server.address, PAGES[i % len(PAGES)], f"seed={i}"))
        peak, over = [server.megabytes], threading.Event()

        def weigh() -> None:
            while not over.wait(0.25):
                peak[0] = max(peak[0], server.megabytes)

        rates: list[float] = []
        viewers: list[Viewer] = []
        troubles: list[str] = []

        def sit(tab: Tab) -> None:
            try:
                viewer = Viewer(tab)
                tab.ask("start", "POST")
                viewers.append(viewer)
                end = began + seconds
                while time.monotonic() < end:
                    viewer.look()
                rates.append(viewer.frames / viewer.seconds)
            except Exception as error:
                troubles.append(f"{type(error).__name__}: {error}")

        threads = [threading.Thread(target=sit, args=(tab,)) for tab in tabs]
        threads.append(threading.Thread(target=weigh))
        cpu = server.memory.cpu_times()
        began = time.monotonic()
        for thread in threads:
            thread.start()
        say(f"{n} tabs run and play for {seconds:g} s")
        page.locator(".prviz").get_by_role("button", name="Run").click()
        page.evaluate("() => { seen = watch(); }")
        notices = set()
        while time.monotonic() < began + seconds:
            with suppress(Exception):
                notices.add(page.evaluate(WAITS))
            page.wait_for_timeout(200)
        at = page.evaluate("seen.at")
        shown = 1000 * (len(at) - 1) / (at[-1] - at[0])
        over.set()
        for thread in threads:
            thread.join()
        spent = server.memory.cpu_times()
        used = (spent.user + spent.system - cpu.user - cpu.system) / (time.monotonic() - began)
        waited = [viewer for viewer in viewers if viewer.waited]
        told = [viewer.told for viewer in viewers if viewer.told is not None]
        errors = server.exceptions + len(troubles) + sum(len(tab.exceptions) for tab in tabs)
        for trouble in troubles[:3]:
            print(trouble, file=sys.stderr)
        for tab in tabs:
            tab.close()
        browser.close()
    what = f"{n} tabs at once"
    return [
        [f"{what}, running and playing: peak memory", "≤ 1500 MB", f"{peak[0]:.0f} MB", "1"],
        [f"{what}: frames served a second, lowest (requested: {PACE:g})", "≥ 20/s",
         f"{min(rates, default=0):.1f}/s", str(len(rates))],
        [f"{what}: frames served a second, median", "–", f"{statistics.median(rates):.1f}/s",
         str(len(rates))],
        [f"{what}: longest delay until the notice that a search waits", "≤ 1 s",
         f"{max(told, default=float('inf')):.2f} s", str(len(told))],
        [f"{what}: searches that waited", "–", str(len(waited)), str(len(viewers))],
        [f"{what}: exceptions, failed requests", "0", str(errors), "–"],
        [f"{what}: frames drawn by the browser", "–", f"{shown:.0f}/s", "1"],
        [f"{what}: updates of the queue position in the browser", "–",
         str(len(notices - {""})), "1"],
        [f"{what}: cores used by the server", "–", f"{used:.2f}", f"{seconds:g} s"],
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        help="fraction of the tabs to open; the class always has 30",
    )
    parser.add_argument("--only", choices=["held", "growth", "sequence", "crowd"], help="one part")
    options = parser.parse_args()

    def some(n: int) -> int:
        return max(2, round(n * options.scale))

    parts = {
        "held": lambda: idle_and_held(some(5)),
        "growth": lambda: growth(some(10)),
        "sequence": lambda: sequence(some(60)),
        "crowd": lambda: crowd(30, 60.0),
    }
    chosen = [options.only] if options.only else list(parts)
    load = os.getloadavg()[0]
    rows = [row for name in chosen for row in parts[name]()]
    say("")
    report = Report(
        "Memory of the server" + (f": {options.only}" if options.only else ""),
        "Resident memory of the server process, which the tabs share, with default settings on "
        f"{os.cpu_count()} cores. Load of the machine before: {load:.1f}.",
    )
    report.table("Measured", ["what", "goal", "measured", "n"], rows)
    report.write("memory" if not options.only else f"memory-{options.only}")


if __name__ == "__main__":
    main()
