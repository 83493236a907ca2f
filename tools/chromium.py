"""Find the Chromium of the browser tests; as a script, download a missing one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright


def find() -> str | None:
    """Return the path of Chromium: from PRVIZ_CHROMIUM, the system or Playwright; else None.

    Debian's chromium-headless-shell comes first: it needs a quarter less CPU time than Chromium.
    """
    named = os.environ.get("PRVIZ_CHROMIUM")
    if named:
        return named
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


if __name__ == "__main__" and find() is None:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, check=False).returncode:
        print(
            "No Chromium: the browser tests will fail. Install one (Debian: apt install "
            "chromium-headless-shell) or name it in PRVIZ_CHROMIUM."
        )
