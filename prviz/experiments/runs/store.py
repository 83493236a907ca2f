"""Store finished runs in one file, so that comparisons can reuse them.

The file is an SQLite database that several processes can use at once: a table ``runs`` with one row
per run (:class:`Row`), and a table ``numbers`` of measured values. Rows are added and never
changed. The file must be on a local disk, because the write-ahead log needs shared memory.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .contender import Contender
from .identity import ENGINE, hash_of_problem, json_of_settings, key_of
from .improvements import Improvements
from .runner import Budget, Wave
from .workers import Workers

SCHEMA = 1
MARK = 0x70727669  # "prvi": SQLite's application id
PATIENCE = 60.0  # timeout in seconds while another process writes, which takes milliseconds
#: Seeds per batch and worker. A killed process loses at most one batch. In smaller batches, workers
#: would wait for each other more often.
BATCH = 4
COLUMNS = {"calls": "<i8", "iterations": "<i8", "seconds": "<f8", "best": "<f8"}


class Row(NamedTuple):
    """A finished run.

    Attributes
    ----------
    key, problem : str
        Hashes of everything that the run depends on, and of the problem.
    settings : str
        Settings of the contender, in JSON.
    seed : int
    axis, total, target
        The budget; ``target`` is None if there is no target.
    engine : int
        See :data:`identity.ENGINE`.
    calls, iterations, seconds, best : bytes
        :class:`improvements.Improvements`, eight bytes per number, little-endian.
    end_calls, end_iterations, end_seconds, over
        The other fields of :class:`improvements.Improvements`.
    processor : str
        Processor model; empty if unknown.
    timed : bool
        True if the run had a core to itself, so that its seconds are comparable.
    version, date : str
        Version of prviz, and the time when the run was stored.
    hash : str
        Hash of all but the seconds: equal for equal keys, unless the budget was in seconds.
    """

    key: str
    problem: str
    settings: str
    seed: int | str  # numbers beyond SQLite's 64 bits are stored as text
    axis: str
    total: float
    target: float | None
    engine: int
    calls: bytes
    iterations: bytes
    seconds: bytes
    best: bytes
    end_calls: int
    end_iterations: int
    end_seconds: float
    over: bool
    processor: str
    timed: bool
    version: str
    date: str
    hash: str

    def improvements(self) -> Improvements:
        """Return the run's improvements."""
        columns = [np.frombuffer(getattr(self, name), kind) for name, kind in COLUMNS.items()]
        ends = self.end_calls, self.end_iterations, self.end_seconds
        return Improvements._make([*columns, *ends, bool(self.over)])


class Store:
    """A file of finished runs.

    Parameters
    ----------
    path : str or PathLike
        Created if it does not exist.

    Raises
    ------
    TypeError, ValueError
        The file cannot be read or written, is not a store, or has a later version.
    """

    def __init__(self, path: str | os.PathLike[str]):
        import sqlite3  # imported on demand, because it is slow

        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"store must be the path of a file, got {path!r}.")
        self._name = os.fspath(path)
        self._error = sqlite3.Error
        with self._explained(), contextlib.ExitStack() as undo:
            self._file = sqlite3.connect(self._name, timeout=PATIENCE, isolation_level=None)
            undo.callback(self._file.close)
            self._open()
            undo.pop_all()

    def _open(self) -> None:
        """Initialise a new file, or check an old one; other processes may do the same."""
        with self._file:
            # fails at once if the file is read-only
            self._file.execute("BEGIN IMMEDIATE")
            mark = self._ask("PRAGMA application_id")
            schema = self._ask("PRAGMA user_version")
            tables = self._ask("SELECT count(*) FROM sqlite_master")
            if not (mark or schema or tables):
                columns = ", ".join(Row._fields[1:])
                self._file.execute(f"CREATE TABLE runs (key PRIMARY KEY, {columns})")
                self._file.execute(f"PRAGMA application_id = {MARK}")
                self._file.execute(f"PRAGMA user_version = {SCHEMA}")
            elif mark != MARK:
                raise ValueError(f"{self._name} is not a store of runs. Choose another file.")
            elif schema > SCHEMA:
                raise ValueError(
                    f"{self._name} has schema {schema}, but this version of prviz reads {SCHEMA}: "
                    "update prviz, or choose another file."
                )
            else:
                # this fails if the file is read-only
                self._file.execute(f"PRAGMA user_version = {SCHEMA}")
                self._file.execute("ROLLBACK")
        self._log_ahead()

    def _log_ahead(self) -> None:
        """Use a write-ahead log, so that readers never wait; retry while SQLite is busy."""
        deadline = time.monotonic() + PATIENCE
        while self._ask("PRAGMA journal_mode") != "wal":
            try:
                self._ask("PRAGMA journal_mode = WAL")
                return  # the store also works without a write-ahead log
            except self._error as why:
                if "locked" not in str(why) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _ask(self, question: str) -> Any:
        return self._file.execute(question).fetchone()[0]

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Replace SQLite's errors by a ValueError with advice."""
        try:
            yield
        except self._error as why:
            raise ValueError(
                f"{self._name} cannot be used as a store of runs ({why}): choose a new file or a "
                f"store in a writable folder."
            ) from None

    def find(self, key: str) -> Row | None:
        """Return the stored run of a key, if there is one."""
        with self._explained():
            found = self._file.execute("SELECT * FROM runs WHERE key = ?", (key,)).fetchone()
        row = found and Row(*found)
        if row and row.hash != _hash(row.improvements()):
            raise ValueError(f"{self._name} is damaged: checksum mismatch in a stored run.")
        return row

    def add(self, rows: Iterable[Row]) -> None:
        """Store all of these runs, or none after an error. Stored runs never change."""
        marks = ", ".join("?" * len(Row._fields))
        with self._explained(), self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany(f"INSERT OR IGNORE INTO runs VALUES ({marks})", rows)

    def remembered(self, key: str, make: Callable[[], float]) -> float:
        """Return the number stored for a key; if there is none, compute and store it."""
        with self._explained(), self._file:
            self._file.execute("CREATE TABLE IF NOT EXISTS numbers (key PRIMARY KEY, value)")
        asked = "SELECT value FROM numbers WHERE key = ?"
        with self._explained():
            found = self._file.execute(asked, (key,)).fetchone()
        if found is None:
            with self._explained(), self._file:
                self._file.execute("INSERT OR IGNORE INTO numbers VALUES (?, ?)", (key, make()))
                found = self._file.execute(asked, (key,)).fetchone()
        return float(found[0])

    def close(self) -> None:
        self._file.close()


class Shelf:
    """The part of a store with the runs of a comparison.

    Parameters
    ----------
    store : Store
    problem
    contenders : mapping of str to Contender
    budget : Budget
    workers : Workers

    Attributes
    ----------
    timed : bool
        True if the seconds of all stored runs are comparable with those of new runs.
    failure : str
        The error message if runs could not be stored, for example on a full disk. After that, no
        more runs are stored.
    """

    def __init__(
        self,
        store: Store,
        problem: Any,
        contenders: Mapping[str, Contender],
        budget: Budget,
        workers: Workers,
    ):
        self._store, self._budget, self.failure = store, budget, ""
        self._problem = hash_of_problem(problem)
        self._settings = {
            name: json_of_settings(contender.settings) for name, contender in contenders.items()
        }
        self._processor = processor() if workers.local else ""
        self._now_timed = self.timed = workers.timed

    def _key(self, name: str, seed: int) -> str:
        clock = f"{self._processor}, {self._now_timed}"
        return key_of(self._problem, self._settings[name], seed, self._budget, clock)

    def find(self, seeds: Sequence[int]) -> dict[tuple[str, int], Improvements]:
        """Return the stored runs of all contenders, by contender and seed."""
        return self.find_runs((name, seed) for name in self._settings for seed in seeds)

    def find_runs(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Improvements]:
        """Return the stored runs among the requested ones, by contender and seed."""
        keys = {at: self._key(*at) for at in wanted}
        rows = {at: row for at, key in keys.items() if (row := self._store.find(key))}
        alike = all(row.timed and row.processor == self._processor for row in rows.values())
        self.timed = self._now_timed and alike
        return {at: row.improvements() for at, row in rows.items()}

    def keep(self, waves: Iterable[Wave | None]) -> Iterator[Wave | None]:
        """Yield ``waves`` unchanged; store the runs of a batch when its budget is used up."""
        for wave in waves:
            if wave and wave.last:
                self._add(
                    self._row(name, seed, run)
                    for name, runs in wave.runs.items()
                    for seed, run in zip(wave.seeds, runs, strict=True)
                )
            yield wave

    def keep_run(self, name: str, seed: int, run: Improvements) -> None:
        """Store one completed run."""
        self._add([self._row(name, seed, run)])

    def _add(self, rows: Iterable[Row]) -> None:
        """Add rows; after an error, warn and add no more rows, but let the runs continue."""
        if self.failure:
            return
        try:
            self._store.add(rows)
        except ValueError as error:
            self.failure = str(error)
            logging.getLogger(__name__).warning("Runs are no longer stored: %s", error)

    def _row(self, name: str, seed: int, run: Improvements) -> Row:
        budget = self._budget
        ends = run.end_calls, run.end_iterations, run.end_seconds, run.over
        row = (
            self._key(name, seed),
            self._problem,
            self._settings[name],
            seed if seed < 1 << 63 else str(seed),
            budget.axis,
            budget.total,
            budget.target if budget.target > -math.inf else None,
            ENGINE,
            *_columns(run).values(),
            *ends,
            self._processor,
            self._now_timed,
            sys.modules["prviz"].__version__,  # a lower layer cannot import the package's top level
            datetime.now(UTC).isoformat(timespec="seconds"),
            _hash(run),
        )
        return Row._make(row)


def _columns(run: Improvements) -> dict[str, bytes]:
    return {name: getattr(run, name).astype(kind).tobytes() for name, kind in COLUMNS.items()}


def _hash(run: Improvements) -> str:
    """Return a hash of everything except the seconds."""
    ends = run.end_calls, run.end_iterations, bool(run.over)
    digest = hashlib.sha256(repr(ends).encode())
    for name, column in _columns(run).items():
        if name != "seconds":
            digest.update(column)
    return digest.hexdigest()[:16]


@functools.cache
def processor() -> str:
    """Return the model of this machine's processor."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
