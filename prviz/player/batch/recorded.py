"""Recorded runs of a race or a tuning, which a page shows until a user presses Run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...experiments.runs.improvements import Improvements

COLUMNS = {"calls": np.int64, "iterations": np.int64, "seconds": np.float64, "best": np.float64}


class RecordedRuns(NamedTuple):
    """Finished runs in a file.

    Attributes
    ----------
    values : dict
        Values of the page's controls for these runs.
    facts : dict
        Further results for the page, as JSON types.
    runs : dict of (str, int) to Improvements
        The runs by name of the contender or setting, and by seed.
    """

    values: dict[str, Any]
    facts: dict[str, Any]
    runs: dict[tuple[str, int], Improvements]

    def find_runs(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Improvements]:
        """Return the requested runs, as a ``Shelf`` does; raise a KeyError if a run is missing."""
        return {at: self.runs[at] for at in wanted}

    def keep_run(self, name: str, seed: int, run: Improvements) -> None:
        """Do nothing, because a recording is complete."""


def save_runs(
    path: Path,
    values: Mapping[str, Any],
    facts: Mapping[str, Any],
    runs: Mapping[tuple[str, int], Improvements],
) -> None:
    """Write runs to one ``.npz`` file without pickle."""
    head = {
        "values": dict(values),
        "facts": dict(facts),
        "runs": [[*at, run.end_calls, run.end_iterations, run.over] for at, run in runs.items()],
    }
    each = [*runs.values()]
    parts = {name: [getattr(run, name) for run in each] for name in COLUMNS}
    steps = {
        name: [np.diff(part, prepend=0).astype(np.int32) for part in parts[name]]
        for name in ("calls", "iterations")
    }
    np.savez_compressed(
        path,
        head=np.array(json.dumps(head, allow_nan=False)),
        lengths=np.array([len(run.best) for run in each], np.int32),
        calls=np.concatenate(steps["calls"]),
        iterations=np.concatenate(steps["iterations"]),
        seconds=np.concatenate(parts["seconds"]).astype(np.float32),
        best=np.concatenate(parts["best"]),
        end_seconds=np.array([run.end_seconds for run in each]),
    )


def load_runs(path: Path) -> RecordedRuns:
    """Read a file written by :func:`save_runs`."""
    with np.load(path, allow_pickle=False) as file:
        head = json.loads(str(file["head"]))
        cuts = np.cumsum(file["lengths"])[:-1]
        parts = {name: np.split(file[name].astype(kind), cuts) for name, kind in COLUMNS.items()}
        ends = file["end_seconds"].tolist()
    runs = {}
    for i, (name, seed, calls, iterations, over) in enumerate(head["runs"]):
        runs[name, seed] = Improvements(
            parts["calls"][i].cumsum(),
            parts["iterations"][i].cumsum(),
            parts["seconds"][i],
            parts["best"][i],
            calls,
            iterations,
            ends[i],
            over,
        )
    return RecordedRuns(head["values"], head["facts"], runs)


def ends_only(run: Improvements) -> Improvements:
    """Return a run with only its first and last improvement, because a tuning uses no others."""
    at = np.unique([0, len(run.best) - 1])
    return run._replace(**{name: getattr(run, name)[at] for name in COLUMNS})
