"""Compute the results of studies, judge them by the rules, and store them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..compare import Comparison, compare
from ..experiments.runs.identity import ENGINE
from ..experiments.runs.store import processor
from ..figures.comparison.race import race_figure, race_info
from ..figures.comparison.verdict import verdict as said
from ..shipped import shipped
from ..version import __version__
from .claims import verdict
from .studies import Study

FOLDER = shipped("assets", "paper")  # the shipped results


def computed(
    study: Study,
    seeds: int | None = None,
    scale: float = 1.0,
    store: str | Path | None = None,
    workers: int | None = None,
    callback: Callable[[Comparison], Any] | None = None,
) -> tuple[Comparison, float | None]:
    """Return the runs of a study, and the lowest known cost.

    Parameters
    ----------
    study : Study
    seeds : int, optional
        Number of seeds; by default, the study's number.
    scale : float
        Factor for the budget of each run.
    store, workers, callback
        As in :func:`prviz.compare`.
    """
    problem, known = study.problem()
    ((unit, total),) = study.budget.items()
    total = total * scale if unit == "seconds" else max(1, math.ceil(total * scale))
    budget: dict[str, Any] = {unit: total}
    found = compare(
        problem, study.contenders(), seeds=seeds or study.seeds, store=store, workers=workers,
        callback=callback, **budget,
    )  # fmt: skip
    return found, known


def judged(
    study: Study, found: Comparison, known: float | None, scale: float = 1.0
) -> dict[str, Any]:
    """Return the result of a study's rules as JSON data, with everything needed to repeat it."""
    findings = [part.decide(found) for part in study.parts]
    info = race_info(found, known)
    runs = [run for each in found.runs.values() for run in each]
    n = len(found.seeds)
    usual = n == study.seeds and scale == 1
    more = "" if usual else f" --seeds {n} --scale {scale:g}"
    return {
        "name": study.name,
        "verdict": verdict(findings),
        "parts": [
            {"says": part.says, "rule": part.rule, "holds": finding.holds, "shown": finding.shown}
            for part, finding in zip(study.parts, findings, strict=True)
        ],
        "n": n,
        "scale": scale,
        "words": said(info, study.iteration),
        "figure": race_figure(info, study.cost, study.iteration),
        "made": {
            "command": f"python -m prviz figures {study.name}{more}",
            "prviz": __version__,
            "engine": ENGINE,
            "processor": processor(),
            "date": datetime.now(UTC).date().isoformat(),
            "cpu_seconds": round(sum(run.end_seconds for run in runs)),
            "calls": sum(run.end_calls for run in runs),
            "hash": _hash(found),
        },
    }


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """Return the file of a study's result."""
    return folder / f"figure-{name}.json"


def save(result: dict[str, Any], folder: Path) -> Path:
    """Write a result and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = path_of(result["name"], folder)
    path.write_text(
        json.dumps(result, indent=1, ensure_ascii=False, allow_nan=False) + "\n", "utf-8"
    )
    return path


def load(name: str, folder: Path = FOLDER) -> dict[str, Any] | None:
    """Return the stored result of a study, if any."""
    path = path_of(name, folder)
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def _hash(found: Comparison) -> str:
    """Return a hash of all runs without seconds; the same work must give the same hash."""
    digest = hashlib.sha256()
    for name, runs in sorted(found.runs.items()):
        digest.update(name.encode())
        for run in runs:
            for column in (run.calls, run.iterations, run.best):
                digest.update(column.tobytes())
    return digest.hexdigest()[:16]
