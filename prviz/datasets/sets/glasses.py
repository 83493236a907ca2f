"""Spin glasses, Max-Cut and QUBO from files: your own, and benchmarks with a known optimum."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..readers.content import LARGEST_FILE, content_of, unpack
from ..types.couplings import Couplings, check_qubo
from . import fetch
from .lattices import shape_of

MOST_SPINS = 1_000_000
_WHOLE = re.compile(r"\d+", re.A)
KINDS = ("maxcut", "couplings", "qubo")

BASE_URL = (
    "https://raw.githubusercontent.com/KULeuven-MICAS/openising/"
    "647e3b0e0ffcda53955b69b02957a7d09e011b24/ising/benchmarks"
)
#: A "J" follows the numbers in the first line of the downloaded G1.
_STRAY = rb"\A([\d \t]+)J"
_FILES = "; file from KULeuven-MICAS/openising"


class _Known(NamedTuple):
    """A file that is identified by a hash of its numbers; other text in it may differ."""

    path: str
    kind: str
    best: float  # the cut, or xᵀ Q x
    credit: str
    numbers: str

    @property
    def file(self) -> str:
        return self.path.rpartition("/")[2]


_GSET = "Y. Ye, Gset (2003), made by G. Rinaldi's rudy"
_BIQMAC = "A. Wiegele, Biq Mac Library (2007)"
_BEASLEY = "J. E. Beasley, OR-Library (1998)"
#: Benchmarks by name. `best` is the optimum, except for G1, G11 and G14: their best known cut.
KNOWN = {
    "G1": _Known(
        "G/G1.txt",
        "maxcut",
        11624,
        _GSET,
        "4983b6a9e7a544172005914820b3ea589a42a0865fcff74f4cdcac7a5b0d0b49",
    ),
    "G11": _Known(
        "G/G11.txt",
        "maxcut",
        564,
        _GSET,
        "37f62df83cdb1d46881bd47f98e374fcb57622477f56ff1e35d38c604ad39f92",
    ),
    "G14": _Known(
        "G/G14.txt",
        "maxcut",
        3064,
        _GSET,
        "7f8cf471b1edaf74619b16dd48fcea27ff1384633e7ae135461422d9c8dd0e6b",
    ),
    "t3g5": _Known(
        "biqmac/ising/t3g5_5555",
        "maxcut",
        10933215,
        _BIQMAC,
        "30cfc2d9d6e3f4561dfd422af8f27f84a4c22285129fe0e6d7bfcc457530f10d",
    ),
    "t3g6": _Known(
        "biqmac/ising/t3g6_5555",
        "maxcut",
        17434469,
        _BIQMAC,
        "6587c0bc5df5da23f77eccc6b4d6a749baf8d056a2dc952e08f8f7b0bb23f431",
    ),
    "t3g7": _Known(
        "biqmac/ising/t3g7_5555",
        "maxcut",
        28302918,
        _BIQMAC,
        "3b09624cf6ba4e5bcef4fef4c94b415d683f87903cf4c2a353ae7292933c1149",
    ),
    "bqp50-1": _Known(
        "biqmac/beasley/bqp50-1.sparse",
        "qubo",
        -2098,
        _BEASLEY,
        "5f06eba475fc44c7a743bfe054fa978cbd0454d37b0cffbc780ffa0d9961838d",
    ),
    "bqp250-1": _Known(
        "biqmac/beasley/bqp250-1.sparse",
        "qubo",
        -45607,
        _BEASLEY,
        "e3435c84356d49514d2203587b7145bab0b6c176fcccaa03896fde5fff48b0c0",
    ),
}


def glass(name: str, base_url: str | None = None) -> Couplings:
    """
    Load a benchmark whose best energy is known.

    G1, G11 and G14 are Max-Cut graphs of the G-set, as spin glasses with J = −w: E = Σ w − 2 cut.
    :meth:`Couplings.cut` returns the cut. t3g5, t3g6 and t3g7 are cubes of 5³, 6³ and 7³ spins with
    Gaussian couplings from the Biq Mac library. bqp50-1 and bqp250-1 are Beasley's QUBO
    problems, with energies xᵀ Q x.

    The file is read from `PRVIZ_DATA_DIR` or the user's cache, or downloaded into this cache.

    Parameters
    ----------
    name : str
    base_url : str, optional
        Where to download from. Default: the environment variable ``PRVIZ_DATA_URL``, if it is set,
        otherwise the public source of the file.

    Raises
    ------
    ValueError
        The name is unknown.
    DataUnavailable
        The file is missing or damaged.
    """
    if name not in KNOWN:
        raise ValueError(f"Unknown spin glass {name!r}; choose one of {', '.join(KNOWN)}.")
    known = KNOWN[name]
    stem = known.file
    path = fetch.find([f"{stem}.gz", stem])
    content = _downloaded(known, base_url) if path is None else fetch.read(path)
    where = path or fetch.cache_folder() / stem
    try:
        text = re.sub(_STRAY, rb"\1", unpack(content, LARGEST_FILE))
        read = read_glass(text, name, known.kind)
        same = fingerprint(read) == known.numbers
        trouble = "" if same else f"its content does not match {name}"
    except ValueError as error:
        trouble = str(error).rstrip(".")
    if trouble:
        raise fetch.DataUnavailable(f"{where} is damaged ({trouble}): delete it, or replace it.")
    best = known.best if known.kind == "qubo" else -read.weights.sum() - 2.0 * known.best
    return read._replace(source=known.credit + _FILES, best_known=float(best))


def _downloaded(known: _Known, base_url: str | None) -> bytes:
    """Download a file; the caller checks its numbers instead of its bytes."""
    folder = f"{BASE_URL}/{known.path.rpartition('/')[0]}"
    base_url = base_url or os.environ.get("PRVIZ_DATA_URL") or folder
    return fetch.download(known.file, None, base_url)


def fingerprint(couplings: Couplings) -> str:
    """Return a hash of all numbers."""
    made = hashlib.sha256()
    for array in (*couplings[:3], np.float64(couplings.offset)):
        made.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
    return made.hexdigest()


def read_glass(path_or_bytes: Any, name: str | None = None, kind: str = "maxcut") -> Couplings:
    """
    Read couplings from a text file, gzipped or not.

    The first line has the number of spins and the number of pairs. Each further line has a pair of
    spins, numbered from 1, and its weight (default 1). Lines that are blank or start with ``#``,
    ``%`` or ``c`` are comments. MatrixMarket files, qbsolv files of a QUBO (``p qubo``) and DIMACS
    graphs (``p edge``) are recognised as well.

    Parameters
    ----------
    path_or_bytes : str, Path, bytes or binary file
        A path, a text with line breaks, the content of a file, or an open file.
    name : str, optional
        Name to show; the file's name by default.
    kind : {"maxcut", "couplings", "qubo"}
        The meaning of the weights. "maxcut": w of a graph whose cut is maximised (J = −w), as in
        the G-set and the Biq Mac library. "couplings": J; for a spin paired with itself, its field.
        "qubo": Q in the cost xᵀ Q x; a weight of a pair i ≠ j is the value of both Q_ij and Q_ji,
        as in Beasley's files. A MatrixMarket file has all entries of Q.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError, ValueError
        The content is invalid. The message names the line.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(map(repr, KINDS))}, got {kind!r}.")
    content, name = content_of(path_or_bytes, name)
    if content is None:
        raise TypeError(f"pass a path or the content of a file, got {path_or_bytes!r}.")
    n, entries = _entries(content, kind)
    name = name or "your spin glass"
    source = f"read from {name}"
    grouped = re.search(rb"\b\d+_\d+\b", content)
    notice = f'"_" inside numbers is ignored ("{grouped[0].decode()}").' if grouped else ""
    if kind == "qubo":
        both = {pair: (w if pair[0] == pair[1] else 2.0 * w) for pair, w in entries.items()}
        both.setdefault((n - 1, n - 1), 0.0)
        return check_qubo(both)._replace(name=name, source=source, notice=notice)
    fields = np.zeros(n)
    for (i, j), w in entries.items():
        if i == j:
            fields[i] = w
    pairs = sorted(pair for pair in entries if pair[0] != pair[1])
    sign = -1.0 if kind == "maxcut" else 1.0
    weights = np.array([sign * entries[pair] for pair in pairs], float)
    numbers = np.array(pairs, np.int64).reshape(-1, 2)
    shape = shape_of(n, numbers)
    return Couplings(numbers, weights, fields, name, source, shape=shape, notice=notice)


def _entries(content: bytes, kind: str) -> tuple[int, dict[tuple[int, int], float]]:
    """Return N and the weight of each pair of spins, numbered from 0, for any format."""
    if content[:14].lower() == b"%%matrixmarket":
        return _matrix_market(content, kind)
    text = content.decode("utf-8-sig", "replace")
    found = re.search(r"(?m)^p\s+(qubo|edge|col)\b.*$", text)
    if not found:
        return _parsed(content, kind)
    wanted = "qubo" if found[1] == "qubo" else "maxcut"
    if kind != wanted:
        name = "a qbsolv QUBO file" if wanted == "qubo" else "a DIMACS graph"
        raise ValueError(f"this is {name} ({found[0]!r}): read it with kind={wanted!r}.")
    numbers = found[0].split()[2:]
    try:
        if wanted == "qubo":  # the line is "p qubo TOPOLOGY N NODES COUPLERS"
            n, lines = int(numbers[1]), int(numbers[2]) + int(numbers[3])
        else:
            n, lines = int(numbers[0]), int(numbers[1])
    except (ValueError, IndexError):
        raise ValueError(f"line {found[0][:60]!r} lacks the numbers of spins and lines.") from None
    rows = [""] * text.count("\n", 0, found.start()) + [f"{n} {lines}"]  # keeps line numbers
    for line in text[found.end() :].split("\n")[1:]:
        words = line.split()
        rows.append("" if words[:1] == ["c"] else " ".join(words[words[:1] == ["e"] :]))
    content = "\n".join(rows).encode()
    if wanted == "maxcut":
        return _parsed(content, kind)
    n, entries = _parsed(content, kind, first=0)
    return n, {(i, j): w if i == j else w / 2 for (i, j), w in entries.items()}


def _matrix_market(content: bytes, kind: str) -> tuple[int, dict[tuple[int, int], float]]:
    """Return the entries of a square sparse matrix, read by SciPy."""
    from scipy.io import mmread
    from scipy.sparse import coo_array

    try:
        matrix = coo_array(mmread(io.BytesIO(content)))
    except Exception as error:  # SciPy raises many kinds of exceptions
        raise ValueError(f"the MatrixMarket file cannot be read ({str(error)[:80]}).") from None
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the matrix must be square, got {matrix.shape[0]} × {matrix.shape[1]}.")
    if matrix.dtype.kind == "c":
        raise ValueError("the MatrixMarket file has complex numbers: give real numbers.")
    if len({*zip(matrix.row.tolist(), matrix.col.tolist(), strict=True)}) < matrix.nnz:
        raise ValueError("the MatrixMarket file repeats an entry: list every entry once.")
    if kind == "qubo":  # xᵀ Q x depends only on Q_ij + Q_ji
        matrix = ((matrix + matrix.T) / 2).tocoo()
    rows = [f"{matrix.shape[0]} 0"]
    seen: dict[tuple[int, int], float] = {}
    for i, j, weight in zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data, strict=True):
        pair = (min(i, j), max(i, j))
        if seen.setdefault(pair, float(weight)) != float(weight):
            raise ValueError(f"the entries {i + 1} {j + 1} and {j + 1} {i + 1} differ.")
    rows[0] = f"{matrix.shape[0]} {len(seen)}"
    rows += [f"{i + 1} {j + 1} {weight!r}" for (i, j), weight in seen.items()]
    return _parsed("\n".join(rows).encode(), kind)


def _parsed(content: bytes, kind: str, first: int = 1) -> tuple[int, dict[tuple[int, int], float]]:
    """Return N and the weight of each pair (i, j) of spins, where 0 ≤ i < j < N."""
    lines = _lines(content)
    number, head = next(lines, (0, []))
    if len(head) != 2 or not all(_WHOLE.fullmatch(word) for word in head):
        raise ValueError(
            f"line {number or 1} must have the numbers of spins and pairs: '800 19176'."
        )
    n, promised = map(int, head)
    if not 1 <= n <= MOST_SPINS:
        raise ValueError(f"line {number} has {n} spins: the limit is {MOST_SPINS}.")
    entries: dict[tuple[int, int], float] = {}
    for number, words in lines:
        pair, weight = _entry(number, words, n, kind, first)
        if pair in entries:
            i, j = (spin + first for spin in pair)
            raise ValueError(f"line {number} repeats the pair {i} {j}: list it once.")
        entries[pair] = weight
    if len(entries) != promised:
        raise ValueError(
            f"the first line announces {promised} lines, but there are {len(entries)}: the file "
            f"is truncated, or its first line is wrong."
        )
    return n, entries


def _entry(
    number: int, words: list[str], n: int, kind: str, first: int
) -> tuple[tuple[int, int], float]:
    if len(words) not in (2, 3):
        raise ValueError(
            f"line {number} has {len(words)} words: a line needs two spins, and may have a weight."
        )
    try:
        i, j = int(words[0]), int(words[1])
        weight = float(words[2]) if len(words) == 3 else 1.0
    except ValueError:
        raise ValueError(
            f"line {number} is not a pair of whole numbers and a weight: {' '.join(words)[:40]!r}."
        ) from None
    if not (first <= min(i, j) and max(i, j) < n + first):
        last = n + first - 1
        raise ValueError(
            f"line {number} names a spin outside {first} to {last}: {i} {j}. The first line must "
            f"have the numbers of spins and pairs, and spins are numbered from {first}."
        )
    if not np.isfinite(weight):
        raise ValueError(f"line {number} has a weight that is not finite: correct it.")
    if i == j and kind == "maxcut":
        raise ValueError(
            f"line {number} joins {i} to itself, which is not allowed in a cut. Remove the "
            f"line, or read the "
            "file as a QUBO (kind='qubo') or as couplings with fields (kind='couplings')."
        )
    return (min(i, j) - first, max(i, j) - first), weight


def _lines(content: bytes) -> Iterator[tuple[int, list[str]]]:
    if b"\0" in content:
        raise ValueError("the file is not text: it must contain lines of numbers, gzipped or not.")
    for number, line in enumerate(content.decode("utf-8-sig", "replace").splitlines(), 1):
        words = line.replace(",", " ").split()
        if words and words[0][0] not in "#%c":
            yield number, words
