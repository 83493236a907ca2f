"""Draw the README's picture from a running app: ``python -m tools.screenshots``.

The page of k-means opens with full restarts and partial reinitialisation side by side. The picture
shows the end of its run.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.pictures import with_chromium

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
WIDTH, HEIGHT = 1280, 760
STORY_SECONDS = 32.0  # longer than the player takes to show a run
START_SECONDS = 120.0


@contextmanager
def served() -> Iterator[str]:
    """Start the app on a free port, and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--server.port={port}", "--server.headless=true"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("The app did not start.")
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    """Return True if the app is up."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
            return True
    except OSError:
        return False


def draw(browser: Any, address: str) -> None:
    """Run the k-means page to its end, and write the picture."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    page.goto(f"{address}/kmeans")
    run = page.get_by_role("button", name="Run", exact=True).first
    run.wait_for(timeout=1000 * START_SECONDS)
    run.click()
    page.wait_for_timeout(1000 * STORY_SECONDS)
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / "kmeans.png")
    page.close()


if __name__ == "__main__":
    with served() as where:
        with_chromium(lambda browser: draw(browser, where))
