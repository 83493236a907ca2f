"""Hand-drawn points on a grid of 1024 × 1024, as text that fits in a link."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from ..types.points import Points

BITS = 10  # bits per coordinate
SIDE = 1 << BITS
MOST = 5000  # largest number of points
LONGEST = -(-2 * BITS * MOST // 6)  # largest number of characters of a drawing as text
MOST_LINKED = 120  # points that fit into a link, in 400 characters
FEW_BLOBS = 5  # number of blobs that are described separately
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#: Drawn points in the menu of data sets: value in links, label, and default number of clusters.
DRAW, LABEL, FEW = "draw", "Draw your own", 5
_FOREIGN = 64
_VALUE = np.full(128, _FOREIGN, np.uint8)
_VALUE[np.frombuffer(ALPHABET.encode(), np.uint8)] = np.arange(64)
_CELL = 64  # side of a cell; empty cells separate blobs
_ROWS, _COLUMNS = ("lower", "middle", "upper"), ("left", "", "right")

#: The default drawing: three blobs of 16 points.
STARTER = (
    "QSzD2o47KIQfAjqpxHbPQmjECuAvqkKGeSkrAwrKQysiBqBAbCLSo6ds7B7Os7JqyvK1r7pC_MXqi_b-"
    "q_YL4rq1MWsbHLNxvG7Vtu4LXrqEkEl9SnrOWUimhhCZxTKHz7iNXYaP6QkIiY1IvPebUwi9MYeUWMEs"
)


def encode(grid: np.ndarray) -> str:
    """Encode points as base64url text, 20 bits each.

    Parameters
    ----------
    grid : (n, 2) int
        Columns and rows, 0 … 1023; rows are counted upwards.
    """
    grid = np.asarray(grid, np.int64).reshape(-1, 2)
    bits = np.unpackbits((grid << 16 - BITS).astype(">u2").view(np.uint8).reshape(-1, 2, 2), axis=2)
    stream = bits.reshape(-1, 2, 16)[:, :, :BITS].ravel()
    padded = np.concatenate([stream, np.zeros(-len(stream) % 6, np.uint8)]).reshape(-1, 6)
    return "".join(ALPHABET[value] for value in padded @ (1 << np.arange(5, -1, -1)))


def decode(text: str) -> np.ndarray:
    """Decode points from the text that ``encode`` makes; the encoding is unique.

    Returns
    -------
    (n, 2) int64

    Raises
    ------
    ValueError
        The text is not a drawing, or has more than 5000 points.
    """
    if is_mark(text):
        raise ValueError(
            f"is the hash of a drawing with more than {MOST_LINKED} points, the limit of a link: "
            "open its file, or draw it again"
        )
    values = _VALUE[np.frombuffer(text.encode("ascii", "replace"), np.uint8)]
    foreign = np.flatnonzero(values == _FOREIGN)
    if len(foreign):
        place = foreign[0] + 1
        raise ValueError(f"is not a drawing: character {place} is not one of A–Z, a–z, 0–9, -, _")
    n = 6 * len(text) // (2 * BITS)
    if n > MOST:
        raise ValueError(f"has {n} points; the limit is {MOST}")
    stream = np.unpackbits(values[:, None], axis=1)[:, 2:].ravel()
    used = 2 * BITS * n
    if len(stream) - used >= 6 or stream[used:].any():
        raise ValueError("is not a complete drawing: its end is missing")
    return stream[:used].reshape(n, 2, BITS).astype(np.int64) @ (1 << np.arange(BITS - 1, -1, -1))


def read_drawing(text: str) -> Points:
    """
    Read points that were drawn on a page.

    Parameters
    ----------
    text : str
        Base64url digits: 10 bits per column and 10 bits per row, point by point.

    Returns
    -------
    Points
        Columns and rows, each 0 … 1023.

    Raises
    ------
    ValueError
        The text is empty or not a drawing.
    """
    try:
        grid = decode(text)
    except ValueError as error:
        raise ValueError(f"The text {error}.") from None
    if not len(grid):
        raise ValueError("Nothing drawn yet.")
    return Points(grid.astype(np.float64), "drawn points", "drawn by hand", notice=described(grid))


def is_mark(text: str) -> bool:
    """Return True if a text is only the hash of a drawing."""
    return text.startswith("~")


def linked(text: str) -> str:
    """Return the text of a drawing for a link; a short hash if it has too many points."""
    n = 6 * len(text) // (2 * BITS)
    return text if n <= MOST_LINKED else f"~{sha256(text.encode()).hexdigest()[:12]}"


def described(grid: np.ndarray) -> str:
    """Return a sentence about a drawing: the number of points, and their approximate places.

    The square has 16 × 16 cells. Adjacent cells that contain points form a blob.
    """
    grid = np.asarray(grid, np.int64).reshape(-1, 2)
    n = len(grid)
    points = f"{n} point{'' if n == 1 else 's'} drawn"
    if n == 0:
        return "Nothing drawn yet."
    blobs = _blobs(grid // _CELL)
    sizes = np.bincount(blobs)
    places = [
        f"{sizes[blob]} {_where(grid[blobs == blob].mean(axis=0))}"
        for blob in np.argsort(-sizes, kind="stable")
    ]
    told = ", ".join(places[:FEW_BLOBS])
    more = f", and {len(places) - FEW_BLOBS} smaller" if len(places) > FEW_BLOBS else ""
    return f"{points}, in {len(places)} blob{'' if len(places) == 1 else 's'}: {told}{more}."


def _blobs(cells: np.ndarray) -> np.ndarray:
    """Return each point's blob number: cells that touch at a side or a corner are one blob."""
    columns = SIDE // _CELL
    found, cell_of = np.unique(cells @ (columns, 1), return_inverse=True)
    unseen = {divmod(cell, columns) for cell in found.tolist()}
    blob_of: dict[tuple[int, int], int] = {}
    number = -1
    for start in sorted(unseen):
        if start in blob_of:
            continue
        number, edge = number + 1, [start]
        unseen.discard(start)
        while edge:
            x, y = edge.pop()
            blob_of[x, y] = number
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & unseen
            unseen -= near
            edge.extend(near)
    return np.array([blob_of[divmod(cell, columns)] for cell in found.tolist()])[cell_of]


def _where(place: np.ndarray) -> str:
    """Return where a position is in the square, such as "upper left"."""
    column, row = (min(2, int(3 * part / SIDE)) for part in place)
    words = f"{_ROWS[row]} {_COLUMNS[column]}".strip()
    return "in the middle" if words == "middle" else words
