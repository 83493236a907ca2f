"""Record the first results of Race and Tuning.

``python -m tools.record_many [race|tuning …]`` makes the recordings. A recording contains the runs
that a page makes with its default values. The page shows their results until Run is pressed.
Texts and charts are computed from the runs, so they are always up to date.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from unittest.mock import patch

from prviz.commands.writing.output import check_file
from prviz.player.batch.contest import Contest
from prviz.player.batch.recorded import ends_only, save_runs
from prviz.player.batch.sweep import Sweep
from prviz.ui.catalogue import PAGES
from prviz.ui.experiments.recordings import FOLDER, as_opened

MANY = ("race", "tuning")


def record(page: str, benchmark: str, folder: Path = FOLDER) -> Path:
    """Write the recording of a page for a benchmark."""
    many, values = as_opened(page, benchmark)
    many.start()
    while many.active:
        many.wait(1.0)
    if many.state != "finished":
        raise SystemExit(f"{page}, {benchmark}: {many.message or many.state}")
    path = folder / f"{page}-{benchmark}.npz"
    save_runs(path, values, *(raced(many) if isinstance(many, Contest) else tuned(many)))
    many.close()
    return path


def raced(race: Contest) -> tuple[dict[str, Any], dict[tuple[str, int], Any]]:
    """Return the additional results (none) and the runs of a race."""
    found = race.result
    each = found.runs.items()
    return {}, {(n, s): run for n, runs in each for s, run in zip(found.seeds, runs, strict=True)}


def tuned(tuning: Sweep) -> tuple[dict[str, Any], dict[tuple[str, int], Any]]:
    """Return the additional results and the runs of a tuning."""
    found = tuning.result
    both = [*enumerate(found.runs), *found.fresh.items()]
    runs = {
        (found.cells[cell].name, s): ends_only(run) for cell, of in both for s, run in of.items()
    }
    return {"work": found.budget.total, "needed": tuning.needed}, runs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=("Record the results that Race and Tuning show first.")
    )
    parser.add_argument("pages", nargs="*", choices=[*MANY, []], help="by default both")
    parser.add_argument("--benchmark", choices=PAGES, default=PAGES[0])
    given = parser.parse_args()
    with patch("prviz.ui.experiments.tuning.default_store", return_value=None):
        for page in given.pages or MANY:
            check_file(FOLDER / f"{page}-{given.benchmark}.npz")
            path = record(page, given.benchmark)
            print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
