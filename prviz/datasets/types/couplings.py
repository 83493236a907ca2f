"""Couplings between spins: conversion, checks, and rounding that makes energies exact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ... import display
from ..check import reject_masked
from .frame import data_frame

#: Couplings are rounded to multiples of a unit, so that energies stay below twice this many units.
#: float64 adds such numbers exactly.
MOST_UNITS = 2.0**51


class Couplings(NamedTuple):
    """
    Spins with couplings: E = −Σ J_ij s_i s_j − Σ h_i s_i + c.

    Parameters
    ----------
    pairs : ndarray of int64, shape (E, 2)
        The spins of each coupling, numbered from 0: the lower number first, no pair twice.
    weights : ndarray of float64, shape (E,)
        J of each pair.
    fields : ndarray of float64, shape (N,)
        h of each spin.
    name : str
        Name to show.
    source : str
        Source to credit.
    offset : float
        c, a constant added to every energy.
    shape : tuple of int
        Sides of the lattice; empty without a lattice. Spin i lies at ``numpy.unravel_index(i,
        shape)``.
    best_known : float, optional
        The lowest energy known.
    notice : str
        A notice about the data; may be empty.
    places : ndarray of float64, shape (N, 2), optional
        Positions for drawing spins without a lattice, about 1 apart.
    """

    pairs: np.ndarray
    weights: np.ndarray
    fields: np.ndarray
    name: str
    source: str
    offset: float = 0.0
    shape: tuple[int, ...] = ()
    best_known: float | None = None
    notice: str = ""
    places: np.ndarray | None = None

    figure, _repr_html_ = display.figure, display.card  # type: ignore[misc]

    def to_frame(self) -> Any:
        """Return the couplings as a pandas DataFrame, one per row."""
        return data_frame(np.column_stack([self.pairs, self.weights]), ["i", "j", "J"])

    def cut(self, energy: float) -> float:
        """
        Return the cut of a configuration with this energy, for edge weights w = −J.

        The couplings must have no fields, so that E = Σ w − 2 cut.
        """
        return (-math.fsum(self.weights) - (energy - self.offset)) / 2


def check_couplings(couplings: Any) -> Couplings:
    """
    Return :class:`Couplings` from other types, or raise an error that names the fault.

    Parameters
    ----------
    couplings : Couplings, dict, array_like (N, N) or SciPy sparse matrix
        ``{(i, j): J_ij}``, every pair once; or a matrix with a zero diagonal that is symmetric or
        triangular.

    Raises
    ------
    TypeError, ValueError
        The couplings are invalid.
    """
    if isinstance(couplings, Couplings):
        return couplings
    rows, columns, values, n = _entries(couplings, "couplings")
    if (loops := rows == columns).any():
        i = int(rows[loops.argmax()])
        raise ValueError(
            f"couplings have {values[loops.argmax()]:g} at [{i}, {i}], but no spin is coupled to "
            "itself (s² = 1). Set the diagonal to 0."
        )
    pairs, weights = _folded(rows, columns, values, n, isinstance(couplings, Mapping))
    return Couplings(pairs, weights, np.zeros(n), "your couplings", "given in Python")


def check_fields(fields: Any, n: int) -> np.ndarray:
    """Return N fields as float64; raise TypeError or ValueError if they are invalid."""
    array = _numbers(fields, "fields")
    if array.shape != (n,):
        raise ValueError(f"fields must be {n} numbers, one per spin, got shape {array.shape}.")
    return array


def check_qubo(Q: Any) -> Couplings:
    """
    Convert Q of xᵀ Q x, minimised over x in {0, 1}ᴺ, to couplings, fields and an offset.

    With x = (1 + s) / 2 and q_ij = Q_ij + Q_ji, the coupling of i and j is −q_ij / 4, the field of
    i is −Q_ii / 2 − Σ_j q_ij / 4, and the offset Σ_i Q_ii / 2 + Σ_{i<j} q_ij / 4.

    Raises
    ------
    TypeError, ValueError
        Q is invalid.
    """
    if isinstance(Q, Couplings):
        return Q
    rows, columns, values, n = _entries(Q, "Q")
    apart = rows != columns
    low, high = np.minimum(rows, columns)[apart], np.maximum(rows, columns)[apart]
    places, which = np.unique(low * n + high, return_inverse=True)
    weights = np.zeros(len(places))
    np.add.at(weights, which, -0.25 * values[apart])
    pairs = np.column_stack([places // n, places % n])
    fields = np.zeros(n)
    np.add.at(fields, rows[~apart], -0.5 * values[~apart])
    np.add.at(fields, pairs[:, 0], weights)
    np.add.at(fields, pairs[:, 1], weights)
    offset = math.fsum(0.5 * values[~apart]) + math.fsum(0.25 * values[apart])
    return Couplings(pairs, weights, fields, "your QUBO", "given in Python", offset)


def on_a_grid(couplings: Couplings) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """
    Return pairs, weights, fields and offset, rounded to multiples of a power of two.

    The power is large enough that any sum is exact in float64, so energies do not depend on the
    order of addition. Whole numbers do not change.
    """
    pairs, weights, fields, offset = couplings[0], couplings[1], couplings[2], couplings.offset
    with np.errstate(over="ignore"):
        largest = 4.0 * (np.abs(weights).sum() + np.abs(fields).sum() + abs(offset))
    if not np.isfinite(largest):
        raise ValueError("The couplings are too large. Divide all of them by 1e9.")
    unit = 2.0 ** math.floor(math.log2(max(largest, 1e-300) / MOST_UNITS)) if largest else 1.0
    unit = min(1.0, unit) if largest < MOST_UNITS else unit
    rounded = [unit * np.rint(np.asarray(each) / unit) for each in (weights, fields, offset)]
    kept = rounded[0] != 0.0
    return pairs[kept], rounded[0][kept], rounded[1], float(rounded[2])


def _entries(given: Any, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Return the rows, columns and values of the nonzero entries, and N."""
    if isinstance(given, Mapping):
        return _of_mapping(given, name)
    if hasattr(given, "tocoo"):  # tocsr adds up duplicate entries
        sparse = given.tocsr().tocoo()
        rows, columns, n = np.asarray(sparse.row), np.asarray(sparse.col), sparse.shape
        values = _numbers(sparse.data, name)
    else:
        matrix = _numbers(given, name)
        n, places = matrix.shape, np.nonzero(matrix)
        if len(n) == 2:
            rows, columns = places
            values = matrix[places]
    if len(n) != 2 or n[0] != n[1] or n[0] == 0:
        shape = " × ".join(map(str, n))
        raise ValueError(
            f"{name} must be a square matrix with one row per spin, got {shape or 'a number'}."
        )
    kept = values != 0.0
    return rows[kept].astype(np.int64), columns[kept].astype(np.int64), values[kept], n[0]


def _of_mapping(
    given: Mapping[Any, Any], name: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    if not given:
        raise ValueError(f"{name} are empty: give at least one pair.")
    try:
        ends = np.array([(i, j) for i, j in given])
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be a dictionary of pairs of numbers: {{(0, 1): 1.0}}."
        ) from None
    if ends.dtype.kind not in "iu" or ends.min() < 0:
        raise TypeError(
            f"{name} must be a dictionary of pairs of whole numbers from 0: {{(0, 1): 1.0}}."
        )
    values = _numbers(list(given.values()), name)
    ends = ends.astype(np.int64)
    return ends[:, 0], ends[:, 1], values, int(ends.max()) + 1


def _numbers(given: Any, name: str) -> np.ndarray:
    """Return finite real numbers as float64."""
    reject_masked(given, name)
    try:
        array = np.asarray(given)
    except ValueError:
        raise ValueError(f"{name} must have rows of equal length.") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be real numbers, got {array.dtype}.")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0].tolist()
        raise ValueError(f"{name}{where} is not a finite number: correct it.")
    return array


def _folded(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, n: int, listed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return every pair once, the lower number first; both triangles of a matrix must agree."""
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    order = np.lexsort((rows > columns, low * n + high))
    places, values = (low * n + high)[order], values[order]
    twice = places[1:] == places[:-1]
    first = np.append(True, ~twice)[: len(places)]
    pairs = np.column_stack([places[first] // n, places[first] % n])
    if listed and twice.any():
        i, j = divmod(int(places[1:][twice][0]), n)
        raise ValueError(f"couplings name the pair of {i} and {j} twice.")
    if twice.any():  # if one pair is on both sides of the diagonal, all pairs must be
        unlike = np.ones(len(places), bool)
        same = twice & (values[1:] == values[:-1])
        unlike[:-1][same] = unlike[1:][same] = False
        if unlike.any():
            i, j = divmod(int(places[unlike][0]), n)
            raise ValueError(
                f"couplings differ at [{i}, {j}] and [{j}, {i}]: give a symmetric or a "
                f"triangular matrix."
            )
    elif not listed and not ((rows < columns).all() or (rows > columns).all()):
        raise ValueError(
            "couplings are neither symmetric nor triangular: give every pair on one side of the "
            "diagonal, or on both."
        )
    return pairs, values[first]
