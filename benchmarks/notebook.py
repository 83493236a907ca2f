"""Measure the player in JupyterLab against its goals.

Run ``python benchmarks/notebook.py``. It starts a real JupyterLab and a real kernel, drives them in
headless Chromium, and writes ``results/notebook.md``. Use a quiet machine.
"""

from __future__ import annotations

import argparse
import itertools
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from jupyter_lab import lab, outputs, run_cell  # noqa: E402

from tools.chromium import find  # noqa: E402

PLAY = """import prviz
data = prviz.datasets.a3_like()
problem = prviz.kmeans(data.points, 50)
prviz.play(problem, data=data, seconds=60)"""
BUSY = """import time
until = time.time() + 7
while time.time() < until: pass"""
#: Count drawn pictures, distinct frames and received bytes.
WATCH = """() => {
  const { theatre, wire } = [...__prvizNotebook][0];
  globalThis.theatre = theatre;
  globalThis.seen = { at: [], frames: new Set(), bytes: 0 };
  wire.model.on("msg:custom", (_, buffers) => (seen.bytes += buffers[0]?.byteLength ?? 0));
  let drawn = theatre.scene.drawn;
  const tick = (now) => {
    if (theatre.scene.drawn !== drawn) { drawn = theatre.scene.drawn; seen.at.push(now); }
    const { frame } = theatre.playback;
    if (frame) seen.frames.add(`${frame.call}.${frame.sub}`);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}"""
#: Measure the milliseconds from a slider's step to the first picture of its run.
STEP = """(to) => new Promise((resolve) => {
  const range = document.querySelector(".pv-sliders input[type=range]");
  const before = theatre.projector.source.id, began = performance.now();
  range.value = to;
  range.dispatchEvent(new Event("input"));
  const look = () => {
    const { source, playback } = { source: theatre.projector.source, playback: theatre.playback };
    if (source.id !== before && playback.frame && theatre.ready && !theatre.staged) {
      requestAnimationFrame(() => resolve(performance.now() - began));
    } else requestAnimationFrame(look);
  };
  look();
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds of playback to watch")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        rows = []
        for subshells in (True, False):
            print(f"subshells: {subshells}", flush=True)
            rows += measured(browser, subshells, given.seconds)
        browser.close()
    write(rows)


def measured(browser, subshells: bool, seconds: float) -> list[tuple[str, str, str]]:
    """Return goals and measurements as rows; without ``subshells``, only the busy kernel's row."""
    with tempfile.TemporaryDirectory() as folder, lab(Path(folder), subshells=subshells) as jupyter:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        path = jupyter.write("bench", PLAY, BUSY)
        empty = path.stat().st_size
        jupyter.open(page, "bench")
        run_cell(page)
        page.wait_for_selector(".prviz .pv-run")
        page.wait_for_function("[...__prvizNotebook][0]?.theatre.playback.frame")
        page.evaluate(WATCH)
        page.locator(".pv-run").click()
        time.sleep(2)
        found = [] if not subshells else [*playing(page, seconds), *sliding(page)]
        found.append(busy(page, subshells))
        if subshells:
            found.append(kept(page, path, empty))
        page.close()
    return found


def playing(page, seconds: float) -> list[tuple[str, str, str]]:
    """Return pictures and bytes per second while the player shows a live search."""
    page.evaluate("() => { seen.at = []; seen.bytes = 0; seen.frames.clear(); }")
    time.sleep(seconds)
    at, came = page.evaluate("[seen.at, seen.bytes]")
    rate = 1000 * (len(at) - 1) / (at[-1] - at[0])
    return [
        ("pictures a second", "≥ 55", f"{rate:.1f}"),
        ("data", "≤ 0.3 MB/s", f"{came / seconds / 1e6:.3f} MB/s"),
    ]


def sliding(page, times: int = 15) -> list[tuple[str, str, str]]:
    took = []
    for i in range(times):
        took.append(page.evaluate(STEP, 1 + i % 3))
        time.sleep(0.5)
    worst = f"{statistics.median(took):.0f} ms (worst of {times}: {max(took):.0f})"
    return [("slider → first picture of its run", "≤ 150 ms", worst)]


def busy(page, subshells: bool) -> tuple[str, str, str]:
    """Return a row: how many frames are shown while a cell runs, and the longest pause."""
    time.sleep(3)
    run_cell(page, 1, wait=False)
    page.evaluate("() => { seen.at = []; seen.frames.clear(); }")
    time.sleep(5)
    at, frames = page.evaluate("[seen.at, seen.frames.size]")
    gap = max((b - a for a, b in itertools.pairwise(at)), default=5000) / 1000
    kind = "with subshells" if subshells else "without"
    told = f"{frames} frames, longest pause {gap:.2f} s"
    return (f"plays for 5 s while the kernel is busy, {kind}", "it moves", told)


def kept(page, path: Path, empty: int) -> tuple[str, str, str]:
    """Return the growth of the notebook file when the picture and the replay are stored."""
    time.sleep(8)
    page.locator(".pv-run").click()
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function("document.querySelector('[data-prviz-still] img')", timeout=60_000)
    page.keyboard.press("Control+s")
    deadline = time.monotonic() + 20
    while not any("data-replay" in str(output) for output in outputs(path)):
        if time.monotonic() > deadline:
            raise RuntimeError("the notebook was not saved")
        time.sleep(0.2)
    grown = path.stat().st_size - empty
    return ("the notebook's file grows by", "≤ 0.4 MB", f"{grown / 1e6:.2f} MB")


def write(rows: list[tuple[str, str, str]]) -> None:
    lines = [
        "# The player in JupyterLab",
        "",
        "`python benchmarks/notebook.py`: k-means on A3-like, in a real JupyterLab and headless "
        "Chromium on the same machine.",
        "",
        f"{platform.platform()}.",
        "",
        "| | goal | measured |",
        "|---|---|---|",
        *(f"| {what} | {goal} | {value} |" for what, goal, value in rows),
        "",
    ]
    text = "\n".join(lines)
    (ROOT / "benchmarks" / "results" / "notebook.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
