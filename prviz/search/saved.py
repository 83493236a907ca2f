"""Save the final state of a run, so that the run can continue."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from typing import Any

import numpy as np

from ..engine.algorithm import start
from ..engine.dispatch import arrays_of, copied_fields
from ..engine.schedule import Schedule
from .auto import policy_of
from .traced_search import Snapshot, by_policy, generator

_PREFIX, _GENERATOR = "search_", "generator"


def add_snapshot(path: str | os.PathLike[str], snapshot: Snapshot) -> None:
    """Add a snapshot to a ``.npz`` file, without pickle."""
    state = json.dumps(snapshot.generator_state)
    arrays = {f"{_PREFIX}{i}": array for i, array in enumerate(_arrays(snapshot))}
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        for name, array in {**arrays, _GENERATOR: np.array(state)}.items():
            with file.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def read_snapshot(path: str | os.PathLike[str], problem: Any, schedule: Schedule) -> Snapshot:
    """Read the snapshot that :func:`add_snapshot` wrote.

    Raises
    ------
    ValueError
        The file has no snapshot, or a snapshot of another problem.
    """
    rng = generator(0)
    search = start(problem, schedule, rng)
    policy = policy_of(schedule, problem) if by_policy(problem, schedule) else None
    snapshot = Snapshot.left(search, rng)._replace(policy=policy)
    with np.load(path, allow_pickle=False) as file:
        if _GENERATOR not in file:
            raise ValueError(f"{path} has no state to continue from: save the run again.")
        saved = [file[name] for name in file if name.startswith(_PREFIX)]
        state = json.loads(str(file[_GENERATOR]))
    room = list(_arrays(snapshot))
    if [a.shape for a in saved] != [a.shape for a in room]:
        raise ValueError(
            f"{path} is a run of another problem: load it with the problem of that run."
        )
    for array, values in zip(room, saved, strict=True):
        array[...] = values
    return snapshot._replace(generator_state=state)


def hash_of_arrays(problem: Any) -> str:
    """Return a hash of a problem's arrays, which identifies its data."""
    digest = hashlib.sha256()
    for each in arrays_of(problem):
        if isinstance(each, np.ndarray) and not each.dtype.hasobject:
            for part in bytes_of(each):
                digest.update(part)
    return digest.hexdigest()[:16]


def bytes_of(array: np.ndarray) -> tuple[bytes, bytes]:
    """Return the type and shape of an array, and its content, for a hash."""
    return f"{array.dtype}{array.shape}".encode(), np.ascontiguousarray(array).tobytes()


def _arrays(snapshot: Snapshot) -> list[np.ndarray]:
    """Return all arrays of a search except working space, in a fixed order."""
    state, checkpoints, *arrays, _ = snapshot.search
    fields = copied_fields(type(state))
    parts = (getattr(part, name) for part in (state, checkpoints) for name in fields)
    return [
        *(array for part in parts for array in arrays_of(part)),
        *arrays,
        *(snapshot.policy or ()),
    ]
