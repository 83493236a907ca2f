"""The record of a search: columns with one row per optimiser call."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import zipfile
import zlib
from typing import Any, NamedTuple

import numpy as np

from .. import display

SCHEMA = 1
UNDECIDED, REVERTED, KEPT = -1, 0, 1


class Rows(NamedTuple):
    """A block of rows that the compiled search fills.

    Attributes
    ----------
    level : (rows,) int8
        Outermost level that redrew variables in this call; the top level is a restart.
    cost, best : (rows,) float64
        Cost that the optimiser reached, and the lowest cost so far.
    iterations : (rows,) int32
        Iterations of the local optimiser.
    seconds : (rows,) float64
        CPU seconds of the search up to the end of this call.
    kept : (rows, m) int8
        For level 1 … m: kept, reverted, or undecided in this call.
    counts : (rows, m) int32
        Number of variables redrawn on level 1 … m. If all N are redrawn, they are not listed.
    redrawn : (capacity,) int32
        List of the redrawn variables, row by row. In a row, the outermost level comes first.
    """

    level: np.ndarray
    cost: np.ndarray
    best: np.ndarray
    iterations: np.ndarray
    seconds: np.ndarray
    kept: np.ndarray
    counts: np.ndarray
    redrawn: np.ndarray


def empty_rows(n_rows: int, n_levels: int, n_redrawn: int) -> Rows:
    """Return uninitialised rows with space for ``n_redrawn`` listed variables in total."""
    return Rows(
        np.empty(n_rows, np.int8),
        np.empty(n_rows, np.float64),
        np.empty(n_rows, np.float64),
        np.empty(n_rows, np.int32),
        np.empty(n_rows, np.float64),
        np.empty((n_rows, n_levels), np.int8),
        np.empty((n_rows, n_levels), np.int32),
        np.empty(n_redrawn, np.int32),
    )


class Trace:
    """The record of a run: columns with one row per call.

    Parameters
    ----------
    rows : Rows
        The columns; row i is call number i + 1.
    n_variables : int
        N of the problem.
    """

    def __init__(self, rows: Rows, n_variables: int):
        self.rows = rows
        self.n_variables = n_variables
        ends = np.cumsum(self._listed(rows.counts).sum(axis=1))
        self._ends = ends.astype(np.min_scalar_type(-len(rows.redrawn) - 1))

    def __len__(self) -> int:
        return len(self.rows.cost)

    def __getattr__(self, name: str) -> np.ndarray:
        if name in Rows._fields:
            return getattr(self.rows, name)
        raise AttributeError(f"a Trace has no column {name!r}; it has: {', '.join(Rows._fields)}")

    def __repr__(self) -> str:
        best = f", best cost {self.best[-1]:.10g}" if len(self) else ""
        return f"<Trace of {len(self)} calls on {self.n_levels} levels{best}>"

    @property
    def n_levels(self) -> int:
        return self.rows.kept.shape[1]

    def _listed(self, counts: np.ndarray) -> np.ndarray:
        return np.where(counts < self.n_variables, counts, 0)

    def redrawn_in(self, call: int) -> dict[int, np.ndarray]:
        """Return the variables that call ``call`` (from 1) redrew, by level, outermost first."""
        row = call - 1
        start = self._ends[row - 1] if row else 0
        redrawn = {}
        for level in range(int(self.level[row]), 0, -1):
            count = int(self.counts[row, level - 1])
            if count < self.n_variables:
                redrawn[level] = self.rows.redrawn[start : start + count]
                start += count
            else:
                redrawn[level] = np.arange(self.n_variables, dtype=np.int32)
        return redrawn

    def hash(self) -> str:
        """Return a short hash of everything except the seconds.

        Runs of a built-in problem with equal seeds and calls have equal hashes on every machine.
        """
        digest = hashlib.sha256(str(self.n_variables).encode())
        for name, column in zip(Rows._fields, self._as_recorded(), strict=True):
            if name != "seconds":
                digest.update(np.ascontiguousarray(column).tobytes())
        return digest.hexdigest()[:16]

    def narrow(self) -> Trace:
        """Return the same rows in less memory, with integers as short as N allows."""
        kind = np.min_scalar_type(-self.n_variables - 1)
        counts, redrawn = self.rows.counts.astype(kind), self.rows.redrawn.astype(kind)
        return Trace(self.rows._replace(counts=counts, redrawn=redrawn), self.n_variables)

    def _as_recorded(self) -> Rows:
        """Return the rows with integers of their original size."""
        model = empty_rows(0, self.n_levels, 0)
        kinds = [column.dtype for column in model]
        return Rows(*(c.astype(kind, copy=False) for c, kind in zip(self.rows, kinds, strict=True)))

    def to_frame(self) -> Any:
        """Return the trace as a pandas DataFrame, one row per call."""
        import pandas as pd

        columns = {name: getattr(self, name) for name in Rows._fields[:5]}
        for level in range(1, self.n_levels + 1):
            columns[f"kept_{level}"] = self.kept[:, level - 1]
        columns["redrawn"] = [
            " ".join(map(str, self._innermost(call))) for call in range(1, len(self) + 1)
        ]
        frame = pd.DataFrame(columns)
        frame.index = pd.RangeIndex(1, len(self) + 1, name="call")
        return frame

    def figure(self) -> Any:
        """Return the best cost against iterations of the optimiser as a Plotly figure."""
        return display.show("figure", self)

    def _repr_html_(self) -> str:
        return display.show("_repr_html_", self)

    def _innermost(self, call: int) -> np.ndarray:
        return self.redrawn_in(call)[1]

    def save(self, path: str | os.PathLike[str], **about) -> None:
        """Write the trace to a ``.npz`` file (no pickle); ``about`` must be valid as JSON."""
        head = {"schema": SCHEMA, "n_variables": self.n_variables, "about": about}
        columns: dict[str, Any] = dict(zip(Rows._fields, self._as_recorded(), strict=True))
        with open(path, "wb") as file:
            np.savez_compressed(file, head=np.array(json.dumps(head)), **columns)


def load_trace(path: str | os.PathLike[str]) -> tuple[Trace, dict]:
    """Read a trace that :meth:`Trace.save` wrote.

    Returns
    -------
    trace : Trace
    about : dict
        The settings that were saved with it.

    Raises
    ------
    ValueError
        The file is not a trace, is damaged, or comes from a newer version.
    """
    name = os.fspath(path)
    try:
        with open(path, "rb") as opened, zipfile.ZipFile(opened):  # fails if the file is incomplete
            opened.seek(0)
            with np.load(opened, allow_pickle=False) as file:
                head = json.loads(str(file["head"]))
                columns = {field: file[field] for field in Rows._fields}
    except FileNotFoundError:
        raise
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as why:
        raise ValueError(
            f"{name} is not a readable prviz trace ({why}): save it again with Run.save()."
        ) from None
    if not isinstance(head, dict) or head.get("schema") != SCHEMA:
        found = head.get("schema") if isinstance(head, dict) else head
        raise ValueError(
            f"{name} has trace schema {found!r}; this version of prviz reads schema {SCHEMA}."
        )
    n_variables = head.get("n_variables")
    if not isinstance(n_variables, int) or n_variables < 1:
        raise ValueError(f"{name} is damaged: it does not say how many variables there were.")
    return Trace(_checked(columns, n_variables, name), n_variables), head.get("about", {})


def _checked(columns: dict[str, np.ndarray], n_variables: int, name: str) -> Rows:
    n_rows, n_levels = columns["kept"].shape if columns["kept"].ndim == 2 else (-1, -1)
    model = empty_rows(max(n_rows, 0), max(n_levels, 0), len(np.atleast_1d(columns["redrawn"])))
    for field, expected in zip(Rows._fields, model, strict=True):
        if columns[field].shape != expected.shape or columns[field].dtype != expected.dtype:
            raise ValueError(f"{name} is damaged: its column {field!r} does not fit the others.")
    counts = columns["counts"]
    if int(np.where(counts < n_variables, counts, 0).sum()) != len(columns["redrawn"]):
        raise ValueError(f"{name} is damaged: its redrawn variables do not fit their counts.")
    return Rows(**columns)


class Recorder:
    """Collect blocks of rows in one :class:`Trace`. One thread may read while another adds rows."""

    def __init__(self, n_levels: int, n_variables: int):
        self._blocks = [empty_rows(0, n_levels, 0)]
        self._n_variables = n_variables
        self._lock = threading.Lock()
        self.n_rows = 0

    def add(self, block: Rows, n_rows: int) -> Rows:
        """Keep a copy of the first ``n_rows`` rows of ``block`` and return it."""
        counts = block.counts[:n_rows]
        n_redrawn = int(counts[counts < self._n_variables].sum())
        *columns, redrawn = block
        columns = [column[:n_rows].copy() for column in columns]
        kept = Rows._make([*columns, redrawn[:n_redrawn].copy()])
        with self._lock:
            self._blocks.append(kept)
            self.n_rows += n_rows
        return kept

    def trace(self) -> Trace:
        """Return all rows so far as one trace."""
        with self._lock:
            rows = Rows(*(np.concatenate(columns) for columns in zip(*self._blocks, strict=True)))
            self._blocks = [rows]
        return Trace(rows, self._n_variables)


#: Costs count as equal if they differ by at most this share: sums of thousands of terms have such
#: rounding errors.
ROUNDING = 1e-12


def improves(cost: np.ndarray | float, best: np.ndarray | float, first: float) -> np.ndarray:
    """Return True where a cost is lower than the best cost before it, by more than rounding.

    ``first`` is the cost of the first call. It sets the scale of rounding errors if costs fall to
    0. Failed calls cost +∞ and never improve.
    """
    scale = np.maximum(np.abs(cost), np.abs(first) if np.isfinite(first) else 0.0)
    return cost < best - ROUNDING * np.where(np.isfinite(scale), scale, 0.0)


def gap_to(best: float, cost: np.ndarray | float, first: float = 1.0) -> Any:
    """Return (cost − best) / |best|, or (cost − best) / |first| if the best cost is 0."""
    return (cost - best) / (abs(best) or abs(first) or 1.0)


def best_so_far(cost: np.ndarray) -> np.ndarray:
    """Return the running minimum of costs: a step function, never interpolated."""
    return np.minimum.accumulate(cost)
