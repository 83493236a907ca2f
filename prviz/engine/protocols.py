"""Types: the engine's requirements for a problem and a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np


class Problem(Protocol):
    """Immutable data whose type has registered kernels: a NamedTuple."""

    @property
    def _fields(self) -> tuple[str, ...]: ...


class State(Protocol):
    """A configuration x and the caches that revert with it: a NamedTuple of arrays.

    It may also hold NamedTuples of arrays.
    """

    @property
    def _fields(self) -> tuple[str, ...]: ...

    def __iter__(self) -> Iterator[np.ndarray | tuple]: ...
