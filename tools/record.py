"""Make the recordings that the app ships: ``python -m tools.record [page …]``, by default all.

A recording contains the first view of a page: the outcome of every call, the full restarts, and
the frames that the player shows by default. The page shows it as a preview until Run is pressed.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import prviz
from prviz.commands.play import story
from prviz.commands.writing.output import check_file
from prviz.player.live import LiveRun
from prviz.player.recording import save_recording
from prviz.shipped import shipped
from prviz.ui.catalogue import PAGES, benchmark
from prviz.ui.views import home

FOLDER = shipped("assets", "recorded")
HOME_CALLS = 150
MOST_CALLS = 60  # largest number of story calls whose frames a recording stores


def finished(run: LiveRun) -> LiveRun:
    """Run a search until its budget is used up, and return it."""
    run.start()
    while run.active:
        time.sleep(0.05)
    return run


def search_of(page: str) -> tuple[LiveRun, str]:
    """Return the default search of a page, and the name of its data."""
    if page == "home":
        return home.live_run(home.DEFAULTS, HOME_CALLS), "landscape of one dimension"
    shown = benchmark(page)
    return shown.live_run(shown.defaults), shown.data(shown.defaults).name


def record(page: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Write a page's recording; return its entry in the manifest."""
    run, data = search_of(page)
    path = folder / f"{page}.npz"
    finished(run)
    if page == "home":
        save_recording(run, path)
    else:
        of_the_card = benchmark(page).card.shot.call
        calls = sorted({*story(run, MOST_CALLS), of_the_card})
        save_recording(run, path, calls, full=True)
    made = {
        "file": path.name,
        "data": data,
        "command": f"python -m tools.record {page}",
        "prviz": prviz.__version__,
        "seed": run.seed,
        "calls": run.head()["calls"],
        "levels": [level._asdict() for level in run.schedule.levels()],
    }
    run.close()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the recordings that the app ships.")
    parser.add_argument("pages", nargs="*", choices=["home", *PAGES, []], help="by default all")
    pages = parser.parse_args().pages or ["home", *PAGES]
    FOLDER.mkdir(parents=True, exist_ok=True)
    manifest = FOLDER / "manifest.json"
    for path in (manifest, *(FOLDER / f"{page}.npz" for page in pages)):
        check_file(path)
    known = json.loads(manifest.read_text("utf-8")) if manifest.exists() else []
    made = {entry["file"]: entry for entry in known}
    for entry in map(record, pages):
        made[entry["file"]] = entry
        manifest.write_text(json.dumps([*made.values()], indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
