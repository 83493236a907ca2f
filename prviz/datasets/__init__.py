"""Data sets and readers of files.

Readers issue a :class:`DataWarning` for each decision how to read a file, such as to skip a row.
They take a path, bytes, an open file, or a text. A string is a path if it names a file, or if it
is one line that looks like the name of a data file; otherwise it is a text.
"""

import functools
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from .check import check_points
from .notices import DataWarning
from .readers import corpora as _corpora
from .readers import matrices as _matrices
from .readers import pictures as _pictures
from .readers import points as _points
from .readers import series as _series
from .readers import tables as _tables
from .readers.content import takes_paths
from .readers.examples import read_examples as _examples
from .readers.points import points_of
from .readers.tables import Table
from .sets.drawn import read_drawing
from .sets.faces import digits900, faces900
from .sets.fetch import DataUnavailable
from .sets.generated import a3_like
from .sets.glasses import glass
from .sets.glasses import read_glass as _glass
from .sets.lattices import chimera, torus
from .sets.patterns import patterns
from .sets.sipu import a3, s1, s2
from .types.couplings import Couplings
from .types.examples import Examples, check_examples
from .types.matrices import Dissimilarities, check_dissimilarity, dissimilarity
from .types.pictures import Pictures
from .types.points import Points
from .types.series import Series, check_series, regimes
from .types.strings import Corpus, Symbols, bits, check_sequence

P = ParamSpec("P")
Data = TypeVar("Data", bound=Any)


def _reporting(read: Callable[P, Data]) -> Callable[P, Data]:
    """Turn a reader's notice into a warning; pages and commands show notices themselves."""

    @functools.wraps(read)
    def reader(*args: P.args, **kwargs: P.kwargs) -> Data:
        data = read(*args, **kwargs)
        if data.notice:
            warnings.warn(data.notice, DataWarning, stacklevel=2)
        return data

    return reader


columns_of_text = takes_paths(_corpora.columns_of_text, "text", separators="")
matrix_or_table = _reporting(takes_paths(_matrices.matrix_or_table))
read_corpus = _reporting(takes_paths(_corpora.read_corpus, "text", separators=""))
read_dissimilarity = _reporting(takes_paths(_matrices.read_dissimilarity))
read_examples = _reporting(takes_paths(_examples, "text"))
read_glass = _reporting(takes_paths(_glass))
read_matrix_or_points = _reporting(takes_paths(_matrices.read_matrix_or_points))
read_pictures = _reporting(takes_paths(_pictures.read_pictures))
read_points = _reporting(takes_paths(_points.read_points))
read_series = _reporting(takes_paths(_series.read_series, "text"))
read_table = _reporting(takes_paths(_tables.read_table, "text"))
read_text = _reporting(takes_paths(_corpora.read_text, "text", separators=""))

__all__ = [
    "Corpus",
    "Couplings",
    "DataUnavailable",
    "DataWarning",
    "Dissimilarities",
    "Examples",
    "Pictures",
    "Points",
    "Series",
    "Symbols",
    "Table",
    "a3",
    "a3_like",
    "bits",
    "check_dissimilarity",
    "check_examples",
    "check_points",
    "check_sequence",
    "check_series",
    "chimera",
    "columns_of_text",
    "digits900",
    "dissimilarity",
    "faces900",
    "glass",
    "matrix_or_table",
    "patterns",
    "points_of",
    "read_corpus",
    "read_dissimilarity",
    "read_drawing",
    "read_examples",
    "read_glass",
    "read_matrix_or_points",
    "read_pictures",
    "read_points",
    "read_series",
    "read_table",
    "read_text",
    "regimes",
    "s1",
    "s2",
    "torus",
]
