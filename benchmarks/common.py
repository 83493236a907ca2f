"""Helpers of the benchmarks: resumable measurements, subprocesses, and tables."""

from __future__ import annotations

import hashlib
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # makes prviz importable without installation
sys.path.append(str(HERE.parent / "tests"))  # makes the test oracles importable

from prviz.engine.cache import PACKAGE, sources_hash  # noqa: E402


def process(code: str, **environment: str) -> list[float]:
    """Run Python code in a new process and return the numbers in its last printed line.

    Its modules are loaded as bytecode, as on any machine that has imported them before.
    """
    path = os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH")]))
    bytecode = {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(HERE / ".resume" / "bytecode"),
    }
    environment = {**os.environ, **bytecode, "PYTHONPATH": path, **environment}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return [float(number) for number in done.stdout.splitlines()[-1].split()]


#: Sources that only display results. No measurement of a search depends on them.
SHOWN = {
    "code",
    "commands",
    "figures",
    "lessons",
    "live_page",
    "notebook",
    "paper",
    "player",
    "reports",
}
SHOWN |= {"scenes", "ui"}


def _computed() -> str:
    """Return a hash of all sources on which measurements depend."""
    files = sorted(PACKAGE.rglob("*.py"))
    return sources_hash(
        [path for path in files if path.relative_to(PACKAGE).parts[0] not in SHOWN], PACKAGE
    )


def _of_the_benchmark() -> list[Path]:
    """Return the files of this folder that the running benchmark imports."""
    files = [getattr(module, "__file__", None) for module in [*sys.modules.values()]]
    paths = {Path(file).resolve() for file in files if file}
    return sorted(path for path in paths if path.parent == HERE)


class Pieces:
    """Store measurements by name in a file, so that a stopped benchmark can resume.

    A changed setting, engine source or benchmark source invalidates them.
    """

    def __init__(self, name: str, settings: dict, fresh: bool = False):
        self._path = HERE / ".resume" / f"{name}.json"
        sources = "".join(path.read_text() for path in _of_the_benchmark())
        key = json.dumps(settings, sort_keys=True) + _computed() + sources
        self._key = hashlib.sha256(key.encode()).hexdigest()
        self._done: dict = {}
        if not fresh and self._path.exists():
            kept = json.loads(self._path.read_text())
            self._done = kept["pieces"] if kept["key"] == self._key else {}

    def measure(self, plan: dict[str, Callable[[], dict]]) -> dict[str, dict]:
        """Run the missing measurements of ``plan`` in its order, and return all results."""
        for i, (name, piece) in enumerate(plan.items(), 1):
            if name not in self._done:
                print(f"\r\033[K[{i}/{len(plan)}] {name}", end="", file=sys.stderr, flush=True)
                self._done[name] = piece()
                self._save()
        print("\r\033[K", end="", file=sys.stderr)
        return {name: self._done[name] for name in plan}

    def _save(self) -> None:
        self._path.parent.mkdir(exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps({"key": self._key, "pieces": self._done}))
        part.replace(self._path)


class Report:
    """Print Markdown tables at once, and write them to a file at the end."""

    def __init__(self, title: str, *sentences: str):
        self._parts = [f"# {title}", *sentences]
        print("\n\n".join(self._parts))

    def table(self, title: str, head: Sequence[str], rows: Iterable[Sequence], note: str = ""):
        cells = [list(head), *([str(cell) for cell in row] for row in rows)]
        widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
        lines = [
            "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |"
            for row in cells
        ]
        lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
        part = "\n\n".join(filter(None, [f"## {title}", "\n".join(lines), note]))
        self._parts.append(part)
        print(f"\n{part}")

    def text(self, title: str, text: str) -> None:
        """Add a section without a table."""
        part = f"## {title}\n\n{text}"
        self._parts.append(part)
        print(f"\n{part}")

    def write(self, name: str) -> None:
        path = HERE / "results" / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n\n".join(self._parts) + "\n")
        print(f"\nWritten to {path.relative_to(HERE.parent)}")


def progress(best, seconds, iterations) -> dict:
    """Record each improvement of a search: its cost and the work until then."""
    fell = np.flatnonzero(np.diff(best, prepend=np.inf) < 0)
    work = {
        "seconds": seconds,
        "calls": np.arange(1, len(best) + 1),
        "iterations": np.cumsum(iterations, dtype=np.int64),
    }
    return {
        "cost": best[fell].tolist(),
        **{name: column[fell].tolist() for name, column in work.items()},
        "total": {name: column[-1].item() for name, column in work.items()},
    }


def reached(piece: dict, amount: float, work: str = "seconds") -> float:
    """Return the best cost after this much work, or ∞ before the end of the first call."""
    done = np.searchsorted(piece[work], amount, side="right")
    return piece["cost"][done - 1] if done else np.inf


def needed(piece: dict, cost: float, work: str = "seconds") -> float:
    """Return the work until a search reached a cost, or ∞ if it never did."""
    enough = np.flatnonzero(np.array(piece["cost"]) <= cost)
    return piece[work][enough[0]] if len(enough) else np.inf


def median(values: Iterable[float | None]) -> float:
    """Return the median. None counts as larger than any number."""
    return statistics.median(math.inf if value is None else value for value in values)


def times(value: float) -> str:
    """Format a ratio, such as 41×."""
    return "–" if not math.isfinite(value) else f"{value:.0f}×" if value >= 10 else f"{value:.1f}×"


def exponent(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return b of y = a x^b, fitted by least squares in logarithms."""
    return statistics.linear_regression([math.log(x) for x in xs], [math.log(y) for y in ys]).slope
