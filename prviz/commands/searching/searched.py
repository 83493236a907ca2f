"""The problem of a command: from the user's file, or an example."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from ... import datasets
from ...datasets.readers.points import MISSING
from ...datasets.scaling import SCALES
from ...datasets.sets.glasses import KINDS as COUPLINGS
from ...problems import PROBLEMS
from ...problems.entry import Example
from ...problems.hmm.problem import EMISSIONS
from ..writing.answer import Failure

STDIN = "-"


class Searched(NamedTuple):
    """A problem and its data.

    Attributes
    ----------
    problem
    id : str
        Id of the problem in ``PROBLEMS``.
    data
        The data set, with a name; None for a landscape.
    size : int
        Value of ``--size``, or the size of the example.
    known : float or None
        Lowest known cost.
    """

    problem: Any
    id: str
    data: Any
    size: int
    known: float | None

    @property
    def title(self) -> str:
        """Return a description: "k-means on A3-like, 50 centres"."""
        source = PROBLEMS[self.id].source
        name = "" if self.data is None else f" on {self.data.name}"
        return f"{source.name}{name}, {self.size} {source.counts}"


#: Name of an example → id of its problem, and the example.
EXAMPLES = {
    name: (entry.id, example)
    for entry in PROBLEMS.values()
    for name, example in entry.source.examples.items()
}
#: Problems with a file format.
FILES = {entry.id: entry.source for entry in PROBLEMS.values() if entry.source.read}
#: Options of readers on the command line; they have the same names in Python.
OF_TABLES = ("columns", "scale", "missing", "header", "delimiter", "decimal", "thousands")
READING = (*OF_TABLES, "by", "emissions", "kind", "threshold")
BITS = re.compile(r"bits([1-9]\d{0,4})")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that define the problem."""
    add_file(parser)
    takes = "; ".join(f"{name}: {source.holds}" for name, source in FILES.items())
    parser.add_argument("--problem", choices=PROBLEMS, help=f"problem to solve ({takes})")
    counts = ", ".join(entry.source.counts for entry in PROBLEMS.values())
    parser.add_argument("--size", type=int, metavar="N", help=f"number of {counts}")
    parser.add_argument(
        "--n-mix",
        type=int,
        metavar="M",
        help="Gaussian components of each state, with --emissions gaussian (1)",
    )
    parser.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="other arguments of the problem, such as optimiser=swap; may be repeated",
    )


def add_file(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the file and its reader."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help=f"your data ({STDIN} for standard input), or an example: {', '.join(EXAMPLES)} "
        "(bitsN has N random bits). For a file with the name of an example, write ./NAME",
    )
    table = parser.add_argument_group("how your file is read")
    table.add_argument(
        "--columns", metavar="A,B", help="columns to use, by name (default: all numeric columns)"
    )
    table.add_argument(
        "--by", metavar="COLUMN", help="rows with the same value in this column are one sequence"
    )
    table.add_argument(
        "--emissions",
        choices=EMISSIONS,
        help="how to read FILE: as symbols (categorical, the default) or as numbers (gaussian)",
    )
    table.add_argument("--scale", choices=[*SCALES], help="scale of each column (none)")
    table.add_argument(
        "--missing", choices=MISSING, help="what to do with rows that have missing values (stop)"
    )
    table.add_argument(
        "--header", choices=["yes", "no"], help="whether line 1 is a header row (auto)"
    )
    table.add_argument(
        "--delimiter", metavar="C", help='delimiter of columns; "tab" for tabs (auto)'
    )
    table.add_argument("--decimal", choices=[".", ","], help="decimal sign (auto)")
    table.add_argument("--thousands", metavar="C", help="thousands separator (auto)")
    table.add_argument("--kind", choices=COUPLINGS, help="meaning of a graph's weights (maxcut)")
    table.add_argument("--threshold", type=float, help="grey values above this are read as 1")


def setting(text: str) -> tuple[str, Any]:
    """Parse ``NAME=VALUE``: numbers, true and false are converted, other values are texts."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"write NAME=VALUE, such as optimiser=swap, got {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def searched(given: argparse.Namespace) -> Searched:
    """Return the problem that a command line defines.

    Raises
    ------
    ValueError, TypeError
        The command line is invalid.
    Failure, OSError
        The file cannot be read, or its content is invalid.
    """
    name, data, size = data_of(given)
    source = PROBLEMS[name].source
    if source.size:
        there = source.size(data)
        if size not in (None, there):
            raise ValueError(
                f"The data already have {there} {source.counts}: leave out --size {size}."
            )
        size = there
    if size is None:
        raise ValueError(f"Pass the number of {source.counts}: --size N.")
    problem = source.make(data, size, **_make_options(name, given))
    return Searched(problem, name, data, size, source.known(data, size))


def data_of(given: argparse.Namespace) -> tuple[str, Any, int | None]:
    """Return the id, the data and the size of a problem; the size is None if it is not given."""
    found = example_of(given.file)
    if found is not None:
        name, example = found
        if given.problem not in (None, name):
            raise ValueError(
                f"{given.file} is an example for {name}: leave out --problem, or write "
                f"./{given.file} if that is your file."
            )
        return name, example.data(), example.size if given.size is None else given.size
    return _problem_of_file(given), _read(given), given.size


def example_of(name: str) -> tuple[str, Example] | None:
    """Return an example and the id of its problem; None for an unknown name."""
    if bits := BITS.fullmatch(name):
        length = int(bits[1])
        return "hmm", Example(lambda: datasets.bits(length), length)
    return EXAMPLES.get(name)


def _problem_of_file(given: argparse.Namespace) -> str:
    """Return the id of the problem for the user's file."""
    if given.problem is None:
        kinds = ", ".join(f"{name} ({source.holds})" for name, source in FILES.items())
        raise ValueError(f"Pass --problem to say how to read {given.file}: {kinds}.")
    if given.problem not in FILES:
        raise ValueError(
            f"A {given.problem} needs no file: write {given.problem} in place of the file."
        )
    return given.problem


def _read(given: argparse.Namespace) -> Any:
    """Read the user's file; print the reader's notice on stderr."""
    name = "standard input" if given.file == STDIN else given.file
    read = FILES[given.problem].read
    assert read is not None  # all problems in FILES have a reader
    try:
        if given.file == STDIN:
            content = sys.stdin.buffer.read()
        else:
            with open(given.file, "rb") as file:
                content = file.read()
        data = read(content, name, **_reading(given, read))
    except (ValueError, TypeError) as error:
        raise Failure(f"{name}: {with_options(str(error))}") from None
    if notice := getattr(data, "notice", ""):
        data = data._replace(notice=with_options(notice))
        print(f"{name}: {data.notice}", file=sys.stderr)
    return data


def with_options(sentence: str) -> str:
    """Replace the arguments of readers in a message by options of the command."""
    for value, word in (("False", "no"), ("True", "yes")):
        sentence = sentence.replace(f"header={value}", f"--header {word}")
    argument = r"\b(missing|decimal|thousands|kind)=(?:['\"]([^'\"]*)['\"])?"
    return re.sub(argument, lambda found: f"--{found[1]} {found[2] or ''}".rstrip(), sentence)


def _reading(given: argparse.Namespace, read: Callable[..., Any]) -> dict[str, Any]:
    """Return the given reader options; raise a ValueError for an option that a reader lacks."""
    options = {name: value for name, value in given.set if name in READING}
    options |= {name: value for name in READING if (value := getattr(given, name)) is not None}
    takes = inspect.signature(read).parameters
    for name in options:
        if name not in takes and not ("options" in takes and name in OF_TABLES):
            raise ValueError(f"--{name} does not apply to {given.problem}: leave it out.")
    if "columns" in options:
        options["columns"] = options["columns"].split(",")
    if "header" in options:
        options["header"] = options["header"] == "yes"
    if options.get("delimiter") == "tab":
        options["delimiter"] = "\t"
    return options


def _make_options(name: str, given: argparse.Namespace) -> dict[str, Any]:
    """Return the values of ``--set`` for the problem, without reader options."""
    ahead = 2 if name in FILES else 1  # skip the data, if any, and the size
    taken = list(inspect.signature(PROBLEMS[name].make).parameters)[ahead:]
    options = {key: value for key, value in given.set if key in taken or key not in READING}
    if given.n_mix is not None:
        options["n_mix"] = given.n_mix
    for each in options:
        if each not in taken:
            raise ValueError(f"{name} has no setting {each!r}. It has {', '.join(taken)}.")
    return options
