"""Data sets, each saying where it came from."""

from prviz.datasets.check import check_points
from prviz.datasets.examples import Examples, check_examples, patterns, read_examples
from prviz.datasets.faces import Pictures, digits900, faces900
from prviz.datasets.fetch import DataUnavailable
from prviz.datasets.generated import a3_like
from prviz.datasets.matrices import Dissimilarities, check_dissimilarity, dissimilarity
from prviz.datasets.points import Points
from prviz.datasets.sipu import a3, s1, s2
from prviz.datasets.strings import Symbols, bits, check_sequence, read_text
from prviz.datasets.upload import read_dissimilarity, read_matrix_or_points, read_points

__all__ = [
    "DataUnavailable",
    "Dissimilarities",
    "Examples",
    "Pictures",
    "Points",
    "Symbols",
    "a3",
    "a3_like",
    "bits",
    "check_dissimilarity",
    "check_examples",
    "check_points",
    "check_sequence",
    "digits900",
    "dissimilarity",
    "faces900",
    "patterns",
    "read_dissimilarity",
    "read_examples",
    "read_matrix_or_points",
    "read_points",
    "read_text",
    "s1",
    "s2",
]
