"""Draw the cards' pictures on the Home page: ``python -m tools.pictures [page …]``.

Each picture is a frame of a recorded run (:mod:`tools.record`). The player draws each frame in
Chromium (``PRVIZ_CHROMIUM``, or Playwright's), in the light and the dark theme.
"""

from __future__ import annotations

import argparse
import base64
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from prviz.player.export.replay import replay_html
from prviz.player.pictures.frames import all_assets
from prviz.player.recording import RecordedRun
from prviz.shipped import shipped
from prviz.ui.benchmark import Shot
from prviz.ui.catalogue import benchmark, benchmarks
from tools.chromium import find

WIDTH, HEIGHT = 464, 224  # size of a picture in pixels, about twice its size on the page
SMALLER = 0.75  # scale of the page, so that marks of fixed size look larger
QUALITY = 0.82


DRAW = """async ([{ call, frame, zoom, centre }, colours, width, height, smaller, quality]) => {
  const { playback, scene, root } = theatre;
  root.style.setProperty("--st-background-color", colours.backgroundColor);
  root.style.setProperty("--st-text-color", colours.textColor);
  theatre.retheme();
  Object.assign(scene.node.style, {
    width: `${smaller * width}px`, height: `${smaller * height + 26}px`, // the legend is left out
  });
  scene.measure();
  Object.assign(scene.view, { zoom, centre, least: 1 }); // labels keep their full size
  playback.seek(call, frame);
  for (let turn = 0; turn < 3; turn++) {
    theatre.wake(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const whole = scene.picture(width);
  const part = new OffscreenCanvas(width, height);
  const g = part.getContext("2d");
  g.fillStyle = scene.view.colours.ground;
  g.fillRect(0, 0, width, height);
  g.drawImage(whole, 0, 0);
  const blob = await part.convertToBlob({ type: "image/webp", quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""


def draw_all(pages: Sequence[str], folder: Path, browser: Any) -> None:
    """Write the pictures of some pages, in the light and the dark theme.

    Parameters
    ----------
    pages : sequence of str
    folder : Path
    browser
        Chromium, started by Playwright.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in pages:
        shot = benchmark(name).card.shot
        for scheme in ("light", "dark"):
            with tempfile.TemporaryDirectory() as work:
                path = Path(work) / "replay.html"
                path.write_text(_replay(name, shot, scheme), "utf-8")
                drawn = draw_replay(browser, path, shot, scheme, themes())
            (folder / f"{name}-{scheme}.webp").write_bytes(drawn)


def themes() -> dict[str, Any]:
    """Return the app's colours by theme."""
    return tomllib.loads(shipped(".streamlit", "config.toml").read_text("utf-8"))["theme"]


def draw_replay(
    browser: Any, path: Path, shot: Shot, scheme: str, colours: dict[str, Any]
) -> bytes:
    """Return one frame of a replay as a WebP picture."""
    page = browser.new_page(reduced_motion="reduce", color_scheme=scheme)
    page.goto(path.as_uri())
    page.wait_for_function("theatre.playback?.frame")
    what = shot._asdict(), colours[scheme], WIDTH, HEIGHT, SMALLER, QUALITY
    drawn = page.evaluate(DRAW, list(what))
    page.close()
    return base64.b64decode(drawn)


def _replay(name: str, shot: Shot, scheme: str) -> str:
    run = RecordedRun(shipped("assets", "recorded", f"{name}.npz"), f"picture-{name}", "")
    layout = {**run.layout(), "recorded": None}
    assets = {asset: run.asset(asset) for asset in all_assets(layout)}
    head, outcomes = run.progress(0)
    frames = run.frames(1, shot.call)
    return replay_html(layout, assets, frames, head, outcomes, {"data": []}, theme=scheme)


def with_chromium(act: Callable[[Any], None]) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = find()
        options = {"executable_path": found} if found else {}
        browser = playwright.chromium.launch(args=["--no-sandbox"], **options)
        act(browser)
        browser.close()


if __name__ == "__main__":
    shown = [each.page for each in benchmarks() if each.card and each.card.shot]
    parser = argparse.ArgumentParser(description="Draw the pictures of the cards on the Home page.")
    parser.add_argument("pages", nargs="*", choices=[*shown, []], help="by default all")
    wanted = parser.parse_args().pages or shown
    with_chromium(lambda browser: draw_all(wanted, shipped("assets", "pictures"), browser))
