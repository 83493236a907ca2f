"""``prviz play``: write a page that plays a search in any browser, offline."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import webbrowser
from pathlib import Path

import numpy as np

from ..notebook.pictures import scene_of
from ..player.export.replay import MOST_CALLS, worth_telling
from ..player.live import LiveRun
from ..search.settings import make_schedule
from ..system.progress import ProgressBar
from .searching import searched, settings
from .writing import answer, output

LOOK = 0.1  # seconds between progress checks
KEPT_AT_LEVEL_1 = 8  # bit of an outcome, see `encode_outcomes`


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "play",
        help="write a page that plays a search",
        description="Search your data and write one HTML page that plays the search offline. On "
        "a terminal, the page opens in your browser. Ctrl-C stops the search; the "
        "page shows the search so far.",
    )
    searched.add(parser)
    settings.add(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers (0)")
    parser.add_argument("--calls", type=int, help="budget in calls of the local optimiser")
    parser.add_argument(
        "--seconds", type=float, help="budget in CPU seconds (2 if no budget is given)"
    )
    parser.add_argument(
        "--out",
        type=output.path_with(".html", ".htm"),
        default=Path("prviz-replay.html"),
        help="output file (prviz-replay.html)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the page in a browser")
    answer.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Search, and write the page; return the exit status."""
    output.check_file(given.out)
    on = searched.searched(given)
    schedule = make_schedule(on.problem, **settings.settings_of(given))
    scene = scene_of(on.problem, on.data)
    watched = LiveRun(
        on.problem, scene, schedule, seed=given.seed, seconds=given.seconds, calls=given.calls
    )
    progress = ProgressBar(lambda head: f"{head['calls']} calls")
    with contextlib.closing(watched), contextlib.closing(progress):
        interrupted = _searched(watched, progress)
        head = watched.head()
        if not head["calls"]:
            raise KeyboardInterrupt if interrupted else answer.Failure(head["message"])
        calls = story(watched)
        progress.say("writing the page")
        page = watched.replay(calls)
        trace = watched.trace_hash()
    failure = head["message"] if head["state"] == "failed" else ""
    facts = {
        "problem": on.id,
        "data": on.data and on.data.name,
        "size": on.size,
        "path": str(given.out),
        "seed": given.seed,
        "calls": head["calls"],
        "shown": len(calls),
        "best_cost": head["best"],
        "hash": trace,
        "interrupted": interrupted,
        "failure": failure,
    }
    lines = [
        on.title,
        f"best cost  {head['best']:.10g}, after {head['calls']} calls, trace {trace}",
        f"replay     {given.out}",
        *(["Stopped: the page shows the search so far."] if interrupted else []),
        *filter(None, [failure]),
    ]
    try:
        answer.tell(given, facts, "\n".join(lines))
    finally:  # write even if standard output is closed
        _write(page, given)
    return answer.status(interrupted, failure)


def _write(page: str, given: argparse.Namespace) -> None:
    """Write the page, and open it if the command was typed at a terminal."""
    with output.saving(given.out):
        given.out.write_text(page, "utf-8")
    if not (given.no_open or given.json) and sys.stdout.isatty():
        webbrowser.open(given.out.resolve().as_uri())


def story(watched: LiveRun, most: int = MOST_CALLS) -> list[int]:
    """Return the most important calls of a run for a replay, at most ``most`` calls."""
    head, outcomes = watched.progress(0)
    kept = np.frombuffer(outcomes, np.uint8) & KEPT_AT_LEVEL_1
    reverted = (1 + np.flatnonzero(kept == 0)).tolist()
    return worth_telling([call for call, _ in head["bests"]], reverted, head["calls"], most)


def _searched(watched: LiveRun, progress: ProgressBar) -> bool:
    """Search to the end of the budget; return True if Ctrl-C stops it earlier."""
    interrupted = False
    watched.start()
    while watched.active:
        try:
            time.sleep(LOOK)
            progress(watched.head())
        except KeyboardInterrupt:
            watched.stop()
            interrupted = True
    return interrupted
