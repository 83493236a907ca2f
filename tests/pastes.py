"""Provide valid and mutated files and pastes for the tests of readers."""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from mutations import mutated_bytes
from PIL import Image

from prviz import datasets
from prviz.datasets.readers.corpora import read_corpus
from prviz.datasets.readers.examples import read_examples
from prviz.datasets.readers.matrices import read_dissimilarity
from prviz.datasets.readers.pictures import read_pictures
from prviz.datasets.readers.points import read_points
from prviz.datasets.readers.tables import read_table

#: Patterns of positions in error messages. An empty paste has no position.
PLACE = re.compile(r"\bline \d+|\bcolumn\b|the file is empty")


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def table(array, delimiter=",", header=""):
    file = io.StringIO()
    np.savetxt(file, array, "%.4g", delimiter, header=header, comments="")
    return file.getvalue().encode()


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


def pictures(rng):
    """Return a zip file of small pictures."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for kind in ("png", "jpeg", "gif", "bmp", "tiff", "webp"):
            file = io.BytesIO()
            Image.fromarray(rng.integers(0, 255, (6, 6), np.uint8)).save(file, kind)
            archive.writestr(f"{kind}.{kind}", file.getvalue())
    return packed.getvalue()


def flowers():
    """Return measurements of flowers, with column names, a missing value and a species."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(5, 1, (12, 3)).round(2), columns=["sepal", "petal", "leaf"])
    frame.iloc[3, 1] = np.nan
    return frame.assign(species=["setosa", "virginica, old", "versicolor"] * 4)


def sound_files():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(12, 2))
    matrix = np.abs(np.subtract.outer(points[:, 0], points[:, 0]))
    bits = (rng.random((10, 8)) < 0.5).astype(int)
    return [
        table(points, " "),
        table(points, ",", "x,y"),
        table(points, ";"),
        table(matrix, ",", ",".join("abcdefghijkl")),
        table(matrix, "\t"),
        table(bits, ""),
        table(bits, " "),
        npy(points),
        npy(points.astype(">f4")),
        npy(np.asfortranarray(matrix)),
        npy(bits.astype(bool)),
        gzip.compress(table(points), mtime=0),
        gzip.compress(npy(matrix), mtime=0),
        table(points, ",").decode().encode("utf-16"),
        parquet(flowers()),
        pictures(rng),
        pictures(rng),
        pictures(rng),
    ]


def sound_pastes():
    rng = np.random.default_rng(0)
    bits = (rng.random((10, 8)) < 0.5).astype(int)
    made = flowers()
    return [
        table(rng.normal(size=(12, 2)), "  "),
        made.to_csv(index=False).encode(),
        made.to_csv().encode(),
        made.to_csv(sep=";", decimal=",", index=False).encode(),
        made.to_csv(sep="\t", na_rep="NA", index=False).encode(),
        table(bits, ""),
        table(bits, ","),
        b"page,user\nhome,ann\nbuy,bob\nhome,bob\nhome,ann\n",
        b"to be or not\nto be\n\nthat is\n",
    ]


def _column(content):
    """Return the strings in the first column, grouped by the second."""
    names = datasets.columns_of_text(content)
    by = names[1] if len(names) > 1 else None
    return read_corpus(content, column=names[0] if names else None, by=by).sequence


def _points(content):
    return datasets.points_of(read_table(content), scale="robust", missing="drop").points


READERS: dict[str, Callable] = {
    "points": lambda content: read_points(content).points,
    "matrix": lambda content: read_dissimilarity(content, most=2000).matrix,
    "examples": lambda content: read_examples(content).examples,
    "grey": lambda content: read_examples(content, threshold=0.5).examples,
    "table": _points,
    "corpus": lambda content: read_corpus(content).sequence,
    "column": _column,
    "pictures": lambda content: read_pictures(content, side=4).points,
}
#: Readers of pasted text.
PASTED = ("table", "grey", "corpus", "column")


class Tried(NamedTuple):
    """The results of reading mutated contents.

    Attributes
    ----------
    read : int
        Number of contents that were read.
    said : set of str
        Error messages of the contents that were rejected.
    wrong : list of str
        Failures of the reader: other exceptions, and numbers that are not finite.
    """

    read: int
    said: set[str]
    wrong: list[str]


def tried(reader: str, sound: Sequence[bytes], n: int, seed: int, text: bool = False) -> Tried:
    """Read ``n`` contents mutated from valid ones, as pasted text if ``text`` is true."""
    rng, read, said, wrong = random.Random(seed), 0, set(), []
    for _ in range(n):
        content = mutated_bytes(rng.choice(sound), rng.choice(sound), rng)
        try:
            found = READERS[reader](content.decode("latin-1") if text else content)
        except (ValueError, TypeError) as error:
            said.add(str(error))
        except Exception as error:
            wrong.append(f"{error!r} of {content!r}")
        else:
            read += 1
            if not (found.size and np.isfinite(found).all()):
                wrong.append(f"{found} of {content!r}")
    return Tried(read, said, wrong)
