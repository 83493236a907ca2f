"""What a command searches: a file of the user's, or an example, as a problem."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from .. import datasets
from ..datasets.readers.corpora import read_corpus
from ..datasets.readers.examples import read_examples
from ..datasets.readers.matrices import read_matrix_or_points
from ..datasets.readers.points import MISSING, read_points
from ..datasets.readers.text import decode
from ..datasets.scaling import SCALES
from ..datasets.sets.glasses import KINDS as COUPLINGS
from ..datasets.sets.glasses import read_glass
from ..datasets.types.matrices import dissimilarity
from ..problems import PROBLEMS
from .answer import Failure

STDIN = "-"


class Searched(NamedTuple):
    """A problem, and what it was made of.

    Attributes
    ----------
    problem
    id : str
        In ``PROBLEMS``.
    data
        The data set, which has a name; None for a landscape.
    size : int
        What ``--size`` says.
    known : float or None
        The lowest cost known.
    """

    problem: Any
    id: str
    data: Any
    size: int
    known: float | None

    @property
    def title(self) -> str:
        """What people read: "k-means on A3-like, 50 centres"."""
        kind = KINDS[self.id]
        name = "" if self.data is None else f" on {self.data.name}"
        return f"{kind.title}{name}, {self.size} {kind.counts}"


class Kind(NamedTuple):
    """A problem as the command line has it."""

    title: str
    counts: str  # what --size is a number of
    takes: str  # what a file of it holds
    read: Callable[[bytes, str], Any] | None  # a file's content and name, as a data set
    problem_of: Callable[..., Any]  # a data set, the size and what --set says, as a problem
    known: Callable[[Any, int], float | None]  # the lowest cost of a data set and a size
    sized: Callable[[Any], int] | None = None  # the size, where the data set says it


class Example(NamedTuple):
    """A data set that needs no file."""

    id: str
    data: Callable[[], Any]
    size: int


def _sequences(content: bytes, name: str, columns: Any = None, by: Any = None) -> Any:
    """One string of a text, or the sequences of FASTA or of a column."""
    if columns is None and not content.lstrip().startswith(b">"):
        return datasets.read_text(decode(content)[0], name)
    return read_corpus(content, name, columns[0] if columns else None, by)


def _kmeans(data: datasets.Points, size: int, **more: Any) -> Any:
    return PROBLEMS["kmeans"].make(data.points, size, **more)


def _known_points(data: datasets.Points, size: int) -> float | None:
    true = 0 if data.centers is None else len(data.centers)
    return data.best_known if size == true else None


def _kmedoids(data: Any, size: int, **more: Any) -> Any:
    pictures = isinstance(data, datasets.Pictures)
    matrix = dissimilarity(data.points, "sqeuclidean") if pictures else data.matrix
    return PROBLEMS["kmedoids"].make(matrix, size, **more)


def _known_pictures(data: Any, size: int) -> float | None:
    fits = isinstance(data, datasets.Pictures) and data.n_clusters == size
    return data.best_known if fits else None


def _hmm(data: Any, size: int, **more: Any) -> Any:
    return PROBLEMS["hmm"].make(data, size, **more)


def _rbm(data: datasets.Examples, size: int, **more: Any) -> Any:
    return PROBLEMS["rbm"].make(data, size, **more)


def _ising(data: datasets.Couplings, size: int, **more: Any) -> Any:
    return PROBLEMS["ising"].make(data, **more)


def _n_spins(data: datasets.Couplings) -> int:
    return len(data.fields)


def _landscape(data: None, size: int, **more: Any) -> Any:
    return PROBLEMS["landscape"].make(size, **more)


KINDS = {
    "kmeans": Kind(
        "k-means", "centres", "points, a row each", read_points, _kmeans, _known_points
    ),
    "kmedoids": Kind(
        "k-medoids", "medoids", "points, or a matrix of dissimilarities",
        read_matrix_or_points, _kmedoids, _known_pictures,
    ),
    "hmm": Kind(
        "Hidden Markov model", "states", "a text, bits, FASTA, or a column", _sequences, _hmm,
        lambda data, size: 0.0 if size >= len(data.sequence) else None,
    ),
    "rbm": Kind(
        "Boltzmann machine", "hidden units", "examples, rows of 0 and 1",
        read_examples, _rbm, lambda data, size: None,
    ),
    "ising": Kind(
        "Spin glass", "spins", "a graph to be cut: spins and edges, then a line each",
        read_glass, _ising, lambda data, size: data.best_known, _n_spins,
    ),
    "landscape": Kind(
        "Landscape", "dimensions", "", None, _landscape, lambda data, size: 0.0
    ),
}  # fmt: skip

#: Benchmarks of spin glasses, and how many spins they have.
GLASSES = {"t3g5": 125, "t3g6": 216, "t3g7": 343, "G1": 800, "G11": 800, "G14": 800}
EXAMPLES = {
    "a3_like": Example("kmeans", datasets.a3_like, 50),
    "a3": Example("kmeans", datasets.a3, 50),
    "s1": Example("kmeans", datasets.s1, 15),
    "s2": Example("kmeans", datasets.s2, 15),
    "digits900": Example("kmedoids", datasets.digits900, 121),
    "faces900": Example("kmedoids", datasets.faces900, 121),
    "bits32": Example("hmm", lambda: datasets.bits(32), 32),
    "patterns": Example("rbm", datasets.patterns, 10),
    "torus": Example("ising", lambda: datasets.torus(20), 400),
    **{name: Example("ising", partial(datasets.glass, name), n) for name, n in GLASSES.items()},
    "landscape": Example("landscape", lambda: None, 2),
}
#: Options of readers on the command line: what they are called in Python is the same.
READING = ("columns", "by", "scale", "missing", "header", "delimiter", "decimal", "thousands")
READING += ("kind", "threshold")
BITS = re.compile(r"bits([1-9]\d{0,4})")


def add(parser: argparse.ArgumentParser) -> None:
    """What names a problem on the command line."""
    takes = "; ".join(f"{name}: {kind.takes}" for name, kind in KINDS.items() if kind.takes)
    parser.add_argument(
        "file",
        metavar="FILE",
        help=f"your data ({STDIN} for standard input), or an example: {', '.join(EXAMPLES)} "
        "(bits of any other number, too). A file called like an example is ./NAME",
    )
    parser.add_argument("--problem", choices=KINDS, help=f"what your file is to be ({takes})")
    parser.add_argument(
        "--size", type=int, metavar="N", help="how many clusters, states, hidden units, dimensions"
    )
    table = parser.add_argument_group("how your file is read")
    table.add_argument("--columns", metavar="A,B", help="columns to use, by name (all of numbers)")
    table.add_argument("--by", metavar="COLUMN", help="column that separates sequences")
    table.add_argument("--scale", choices=[*SCALES], help="scale of each column (none)")
    table.add_argument("--missing", choices=MISSING, help="rows without a value (stop)")
    table.add_argument("--header", choices=["yes", "no"], help="whether line 1 has names (auto)")
    table.add_argument("--delimiter", metavar="C", help="between columns; tab for a tab (auto)")
    table.add_argument("--decimal", choices=[".", ","], help="decimal sign (auto)")
    table.add_argument("--thousands", metavar="C", help="sign between groups of digits (auto)")
    table.add_argument("--kind", choices=COUPLINGS, help="what weights of a graph are (maxcut)")
    table.add_argument("--threshold", type=float, help="grey values above it are 1")
    parser.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what else prviz.kmeans and the others take, such as optimiser=swap; may be repeated",
    )


def setting(text: str) -> tuple[str, Any]:
    """``NAME=VALUE`` of an argument: numbers, true and false are such, all else is a word."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"write NAME=VALUE, such as optimiser=swap, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def searched(given: argparse.Namespace) -> Searched:
    """The problem that a command line names.

    Raises
    ------
    ValueError, TypeError
        It names none: a sentence.
    Failure, OSError
        The file can't be read, or holds something else.
    """
    example = example_of(given.file)
    if example is not None:
        if given.problem not in (None, example.id):
            raise ValueError(
                f"{given.file} is an example of {example.id}: leave out --problem, or write "
                f"./{given.file} if that is your file."
            )
        name, data = example.id, example.data()
        size = example.size if given.size is None else given.size
    else:
        name, data, size = _kind(given), _read(given), given.size
        if size is None and KINDS[name].sized is None:
            raise ValueError(f"Say how many {KINDS[name].counts}: --size N.")
    if sized := KINDS[name].sized:
        there = sized(data)
        if size not in (None, there):
            raise ValueError(f"There are {there} {KINDS[name].counts}: leave out --size {size}.")
        size = there
    problem = KINDS[name].problem_of(data, size, **_more(name, given))
    return Searched(problem, name, data, size, KINDS[name].known(data, size))


def example_of(name: str) -> Example | None:
    """The example of a name; None if there is none."""
    if bits := BITS.fullmatch(name):
        length = int(bits[1])
        return Example("hmm", lambda: datasets.bits(length), length)
    return EXAMPLES.get(name)


def _kind(given: argparse.Namespace) -> str:
    if given.problem is None:
        kinds = ", ".join(f"{name} ({kind.takes})" for name, kind in KINDS.items() if kind.takes)
        raise ValueError(f"Say what {given.file} is to be with --problem: {kinds}.")
    if KINDS[given.problem].read is None:
        raise ValueError(f"A {given.problem} needs no file: name the example {given.problem}.")
    return given.problem


def _read(given: argparse.Namespace) -> Any:
    """Read the data set in the user's file, and report on stderr what was decided about it."""
    name = "standard input" if given.file == STDIN else given.file
    read = KINDS[given.problem].read
    try:
        if given.file == STDIN:
            content = sys.stdin.buffer.read()
        else:
            with open(given.file, "rb") as file:
                content = file.read()
        data = read(content, name, **_reading(given, read))
    except (ValueError, TypeError) as error:
        raise Failure(f"{name}: {error}") from None
    if data.notice:
        print(f"{name}: {data.notice}", file=sys.stderr)
    return data


def _reading(given: argparse.Namespace, read: Callable) -> dict[str, Any]:
    """The options of reading that were given; a ValueError if this reader has no such option."""
    options = {name: value for name, value in given.set if name in READING}
    options |= {name: value for name in READING if (value := getattr(given, name)) is not None}
    takes = inspect.signature(read).parameters
    more = ("header", "delimiter", "decimal", "thousands")
    more += ("columns", "scale", "missing") if read is read_matrix_or_points else ()
    for name in options:
        if name not in takes and not ("options" in takes and name in more):
            raise ValueError(f"--{name} does not apply to {given.problem}: leave it out.")
    if "columns" in options:
        options["columns"] = options["columns"].split(",")
    if "header" in options:
        options["header"] = options["header"] == "yes"
    if options.get("delimiter") == "tab":
        options["delimiter"] = "\t"
    return options


def _more(name: str, given: argparse.Namespace) -> dict[str, Any]:
    """What ``--set`` says, if the problem takes it; options of reading aside."""
    ahead = 2 if KINDS[name].read else 1  # the data, if any, and the size
    taken = list(inspect.signature(PROBLEMS[name].make).parameters)[ahead:]
    wanted = {key: value for key, value in given.set if key in taken or key not in READING}
    for each in wanted:
        if each not in taken:
            raise ValueError(f"{name} has no {each!r} to be set: it has {', '.join(taken)}.")
    return wanted
