"""Data sets, each saying where it came from."""

from prviz.datasets.check import check_points
from prviz.datasets.corpora import columns_of_text, read_corpus
from prviz.datasets.couplings import Couplings
from prviz.datasets.drawn import read_drawing
from prviz.datasets.examples import Examples, check_examples, patterns, read_examples
from prviz.datasets.faces import Pictures, digits900, faces900
from prviz.datasets.fetch import DataUnavailable
from prviz.datasets.generated import a3_like
from prviz.datasets.glasses import glass, read_glass
from prviz.datasets.lattices import chimera, torus
from prviz.datasets.matrices import Dissimilarities, check_dissimilarity, dissimilarity
from prviz.datasets.notices import DataWarning
from prviz.datasets.pictures import read_pictures
from prviz.datasets.points import Points
from prviz.datasets.sipu import a3, s1, s2
from prviz.datasets.strings import Corpus, Symbols, bits, check_sequence, read_text
from prviz.datasets.tables import Table, points_of, read_table
from prviz.datasets.upload import (
    matrix_or_table,
    read_dissimilarity,
    read_matrix_or_points,
    read_points,
)

__all__ = [
    "Corpus",
    "Couplings",
    "DataUnavailable",
    "DataWarning",
    "Dissimilarities",
    "Examples",
    "Pictures",
    "Points",
    "Symbols",
    "Table",
    "a3",
    "a3_like",
    "bits",
    "check_dissimilarity",
    "check_examples",
    "check_points",
    "check_sequence",
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
    "read_table",
    "read_text",
    "s1",
    "s2",
    "torus",
]
