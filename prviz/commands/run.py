"""``prviz run``: one search, its result, and the hash of its trace."""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.kernels import allocate
from ..experiments.statistics.wording import amount
from ..notebook.pictures import scene_of
from ..search.run import Progress as SoFar
from ..search.run import Run
from ..search.run import run as search
from ..system.progress import ProgressBar
from ..testing import Fields
from .searching import searched, settings
from .searching.searched import Searched
from .writing import answer, output

#: Tables of a scene with a value per step of a sequence, or per spin.
VALUES = ("path", "spins")


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "run",
        help="search your data once",
        description="Search your data by partial reinitialisation. The same seed and --calls "
        "give the same trace. Ctrl-C stops the search, saves and prints the "
        "result so far.",
    )
    searched.add(parser)
    settings.add(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers (0)")
    parser.add_argument("--calls", type=int, help="budget in calls of the local optimiser")
    parser.add_argument(
        "--iterations", type=int, help="budget in iterations of the local optimiser"
    )
    parser.add_argument(
        "--seconds", type=float, help="budget in CPU seconds (2 if no budget is given)"
    )
    parser.add_argument("--target", type=float, help="cost at which the search ends")
    parser.add_argument(
        "--patience", type=int, help="end after this many iterations without an improvement"
    )
    parser.add_argument(
        "--tol",
        type=float,
        default=0.0,
        help="smallest relative improvement that counts for --patience (0)",
    )
    parser.add_argument(
        "--workers", type=int, default=1, help="parallel searches that share their best result (1)"
    )
    _add_files(parser)
    answer.add(parser)
    parser.set_defaults(run=run)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--save",
        type=output.path_with(".npz", ".csv"),
        metavar="PATH",
        help="write the trace to a .csv file, or the trace and the state to an .npz file",
    )
    parser.add_argument(
        "--labels",
        type=output.path_with(".csv"),
        metavar="PATH",
        help="write the cluster of each row, the state at each step, or the spins to a .csv file",
    )
    parser.add_argument(
        "--centers",
        type=output.path_with(".csv"),
        metavar="PATH",
        help="write the centres (in the file's units) or the medoids' rows to a .csv file",
    )


def run(given: argparse.Namespace) -> int:
    """Search, print and save; return the exit status."""
    files = [path for path in (given.save, given.labels, given.centers) if path]
    for path in files:
        output.check_file(path)
    on = searched.searched(given)
    if given.labels or given.centers:
        _check_tables(on, given.labels, given.centers)
    share = (lambda now: _share(now, given)) if _is_limited(given) else None
    progress = ProgressBar(_progress_text, share)
    with contextlib.closing(progress), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a failure is reported below
        found = search(
            on.problem,
            **settings.settings_of(given),
            seed=given.seed,
            calls=given.calls,
            iterations=given.iterations,
            seconds=given.seconds,
            target=given.target,
            patience=given.patience,
            tol=given.tol,
            callback=progress,
            workers=given.workers,
        )
    results, text = facts(on, found), words(on, found)
    try:
        output.tell_and_save(given, results, text, given.save, partial(_save, found))
    finally:
        if found.calls:
            _save_tables(on, found.best_state, given.labels, given.centers)
            if given.centers and getattr(on.data, "scaling", None):
                print(
                    f"{given.centers}: the centres are in the units of the file.", file=sys.stderr
                )
    return answer.status(found.interrupted, found.failure)


def _save(found: Run, path: Path) -> None:
    if path.suffix.lower() == ".csv":
        found.to_frame().to_csv(path)
    else:
        found.save(path)


def _check_tables(on: Searched, labels: Path | None, centers: Path | None) -> None:
    """Raise a ValueError if a problem has nothing to write to one of these files."""
    if hasattr(allocate(on.problem), "labels"):
        return
    if centers:
        raise ValueError(f"{on.id} has no clusters, so it has no centres: leave out --centers.")
    if labels and _table_of_values(scene_of(on.problem, on.data)) is None:
        raise ValueError(f"{on.id} has no clusters, states or spins: leave out --labels.")


def _table_of_values(scene: Any) -> str | None:
    return next((name for name in VALUES if name in getattr(scene, "tables", ())), None)


def _save_tables(on: Searched, state: Any, labels: Path | None, centers: Path | None) -> None:
    """Write labels, states or spins, and centres, to the given paths."""
    if labels and hasattr(state, "labels"):
        numbers = getattr(on.data, "lines", None)
        rows = np.arange(1, len(state.labels) + 1) if numbers is None else numbers
        _write(labels, {"row" if numbers is None else "line": rows, "label": state.labels})
    elif labels:
        scene: Any = scene_of(on.problem, on.data)
        _write(labels, scene.table(_table_of_values(scene), state))
    if centers and hasattr(state, "centers"):
        names = on.data.columns or [f"x{i + 1}" for i in range(state.centers.shape[1])]
        _write(centers, dict(zip(names, on.data.unscaled(state.centers).T, strict=True)))
    elif centers:
        _write(centers, {"medoid_row": state.medoids + 1})


def _write(path: Path, columns: dict[str, np.ndarray]) -> None:
    import pandas as pd

    with output.saving(path):
        pd.DataFrame(columns).to_csv(path, index=False)


def facts(on: Searched, found: Run) -> dict[str, Any]:
    """Return the result of a run, with everything needed to repeat it."""
    trace = found.trace
    return {
        "problem": on.id,
        "data": on.data and on.data.name,
        "notice": getattr(on.data, "notice", ""),
        "size": on.size,
        "variables": trace.n_variables,
        "levels": [level._asdict() for level in found.levels],
        "seed": found.seed,
        "workers": found.workers,
        "calls": found.calls,
        "iterations": int(trace.iterations.sum()),
        "seconds": found.seconds,
        "best_cost": found.best_cost,
        "best_known": on.known,
        "best": configuration(found.best_state),
        "hash": trace.hash(),
        "interrupted": found.interrupted,
        "failure": found.failure,
    }


def configuration(state: Any) -> dict[str, Any]:
    """Return the variables of a configuration by name, and the labels of points if it has any."""
    if state is None:
        return {}
    names = [*Fields.of(state).variables, *(["labels"] if hasattr(state, "labels") else [])]
    return {name: getattr(state, name) for name in names}


def words(on: Searched, found: Run) -> str:
    """Return the result as text, one line per value."""
    levels = " ".join(settings.level_words(level) for level in found.levels)
    lines = [on.title, *_columns(on.data), f"levels     {levels}", f"seed       {found.seed}"]
    if found.workers > 1:
        lines.append(f"workers    {found.workers}, which share their best result")
    if found.calls:
        lines.append(f"best cost  {found.best_cost:.10g}{_gap(on, found.best_cost)}")
    lines.append(f"calls      {found.calls}, in {amount(found.seconds)} CPU seconds")
    lines.append(f"trace      {found.trace.hash()}")
    if found.interrupted:
        lines.append("Stopped. This is the best result so far.")
    if found.failure:
        lines.append(f"The search stopped: {found.failure}. This is the best result so far.")
    return "\n".join(lines)


def _columns(data: Any) -> list[str]:
    """Return the line with the data's size and columns; no line if the columns have no names."""
    if not getattr(data, "columns", ()):
        return []
    n, d = data[0].shape
    return [f"columns    {n} × {d}: {', '.join(data.columns)}"]


def _gap(on: Searched, cost: float) -> str:
    if on.known is None:
        return ""
    if not on.known:
        return ", where 0 is the lowest possible value"
    gap = (cost - on.known) / abs(on.known)
    return f", {abs(gap):.3%} {'above' if gap >= 0 else 'below'} the lowest known"


def _progress_text(now: SoFar) -> str:
    return f"{now.calls} calls, best cost {now.best_cost:.8g}"


def _is_limited(given: argparse.Namespace) -> bool:
    """Return False if only iterations are limited: the used share is then unknown."""
    return given.iterations is None or given.calls is not None or given.seconds is not None


def _share(now: SoFar, given: argparse.Namespace) -> float:
    """Return the used share of the budget."""
    calls = now.calls / given.calls if given.calls else 0.0
    endless = given.calls is None and given.iterations is None and given.seconds is None
    seconds = now.seconds / (given.seconds or (2.0 if endless else math.inf))
    return max(calls, seconds)
