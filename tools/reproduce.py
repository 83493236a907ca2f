"""Run random settings of every page, and repeat the runs with their exported code.

``python -m tools.reproduce [--number 100]`` runs each setting as its page does, and exports the run
as a script at a random time. The script repeats the run in a new process and fails if the hash of
the trace differs. The command fails if any script fails.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import prviz
from prviz.code.script import Script
from prviz.datasets import DataUnavailable
from prviz.engine.schedule import Level
from prviz.shipped import shipped
from prviz.ui.benchmark import Benchmark
from prviz.ui.benchmarks import hierarchy, rbm
from prviz.ui.catalogue import PAGES, benchmark
from prviz.ui.levels import rows
from prviz.ui.own_data.data_input import OWN, DataInput
from prviz.ui.widgets.controls import Control

LONGEST = 0.8  # maximum seconds from the first call of a run to its export
PATIENCE = 60.0  # timeout of a first call, in seconds
LETTERS = "abcdefgh .,'\"\\\n{}#"


class Opened(NamedTuple):
    """A run that was exported as code.

    Attributes
    ----------
    page : str
    values : mapping
        Values of the page's controls.
    script : Script
    files : mapping of str to bytes
        The uploaded file, by its name.
    """

    page: str
    values: Mapping[str, Any]
    script: Script
    files: Mapping[str, bytes]


def opened(number: int, seed: int = 0) -> Iterator[Opened]:
    """Run ``number`` random settings, taking the pages in turn; yield the exported runs."""
    rng = random.Random(seed)
    for i in range(number):
        shown = benchmark(PAGES[i % len(PAGES)])
        while (found := _opened(shown, rng)) is None:
            pass  # invalid levels or missing data: draw new settings
        yield found


def repeats(script: Script, files: Mapping[str, bytes]) -> str:
    """Run a script in a new process and folder; return its error, or an empty text."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**files, "again.py": script.python().encode()}.items():
            Path(folder, name).write_bytes(content)
        ended = subprocess.run(
            [sys.executable, "again.py"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(shipped())},
            capture_output=True,
            text=True,
        )
    return ended.stderr[-2000:] if ended.returncode else ""


def _opened(shown: Benchmark, rng: random.Random) -> Opened | None:
    values = {control.name: _value(control, rng) for control in shown.table}
    files = {}
    if shown.page == "hierarchy":
        values["levels"] = rows.write(_levels(values, rng))
    if values.get("data") == OWN and (door := _door(shown.page)):
        files = {"own data.csv": _table(rng)}
        if shown.page == "ising":
            files = {door.sample.name: door.sample.content()}
        values[door.control] = door.take(*next(iter(files.items())))
    if shown.page == "rbm":
        files = {rbm.EXAMPLES: values["text"].encode()}
    try:
        shown.reconcile(values, None, set(values))
        shown.fit(values)
        run = shown.live_run(values)
    except (ValueError, DataUnavailable):
        return None
    try:
        run.start()
        _watch(run, rng)
        return Opened(shown.page, values, run.script(), files) if run.head()["calls"] else None
    finally:
        run.close()


def _door(page: str) -> DataInput | None:
    """Return the page's input for your own data, or None."""
    return getattr(import_module(f"prviz.ui.benchmarks.{page}"), "DATA_INPUT", None)


def _watch(run: Any, rng: random.Random) -> None:
    """Wait a random time for a run; then stop it, or let it continue."""
    began = time.monotonic()
    while run.active and not run.head()["calls"] and time.monotonic() - began < PATIENCE:
        time.sleep(0.01)
    until = time.monotonic() + rng.uniform(0, LONGEST)
    while run.active and time.monotonic() < until:
        time.sleep(0.01)
    if rng.random() < 0.5:
        run.stop()


def _value(control: Control, rng: random.Random) -> Any:
    """Return a random value of a control; a number is at most about four times the default."""
    if control.kind == "choice":
        return rng.choice(list(control.choices))
    if control.kind == "text":
        return _text(control, rng)
    most = min(control.high, 4 * control.default + 8)
    if control.name in ("seed", "string", "draw"):
        return rng.randint(int(control.low), int(control.high))
    if control.kind == "whole":
        return round((max(control.low, 0.5)) * (most / max(control.low, 0.5)) ** rng.random())
    if control.name == "seconds":
        return round(rng.uniform(0.1, LONGEST), 2)
    return rng.choice([control.default, rng.uniform(control.low, min(most, 1.0))])


def _text(control: Control, rng: random.Random) -> str:
    if control.default.startswith("1"):  # a Boltzmann machine: examples of bits
        width = rng.randint(2, 12)
        return "\n".join("".join(rng.choices("01", k=width)) for _ in range(rng.randint(2, 400)))
    return "".join(rng.choices(LETTERS, k=rng.randint(40, 80))) if control.default else ""


def _levels(values: dict[str, Any], rng: random.Random) -> list[Level]:
    """Return a random hierarchy of one to four levels."""
    case, n = hierarchy.case(values), hierarchy.n(values)
    sizes = sorted(rng.sample(range(1, n), min(n - 1, rng.randint(0, 3))))
    subsets = list(case.subsets)
    below = [
        Level(
            k,
            rng.choice([1, 2, 5, 20, 100]),
            rng.choice([0.0, rng.random()]) if case.partial else 0.0,
            rng.choice(subsets),
        )
        for k in sizes
    ]
    return [*below, Level(n, rng.choice([0, 0, 3, 50]))]


def _table(rng: random.Random) -> bytes:
    """Return points or a matrix as a user may upload them."""
    points = np.random.default_rng(rng.randrange(1000)).normal(size=(rng.randint(20, 300), 3))
    table = points if rng.random() < 0.5 else prviz.dissimilarity(points, "euclidean")
    return "\n".join(",".join(map(repr, row)) for row in table.tolist()).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Export random runs as code, and repeat them.")
    parser.add_argument("--number", type=int, default=100, help="settings (100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random settings (0)")
    given = parser.parse_args()
    drawn, same = Counter(), Counter()
    for number, found in enumerate(opened(given.number, given.seed), start=1):
        trouble = repeats(found.script, found.files)
        drawn[found.page] += 1
        same[found.page] += not trouble
        print(f"{number:4d}  {'same' if not trouble else 'NOT THE SAME'}  {found.script.title}")
        if trouble:
            print(f"{found.values}\n{found.script.python()}\n{trouble}")
    for page, number in drawn.items():
        print(f"{page}: {same[page]} of {number}")
    print(f"{same.total()} of {drawn.total()} repeat")
    sys.exit(same.total() < drawn.total())


if __name__ == "__main__":
    main()
