"""``prviz choose-k``: choose the number of clusters for a file of points by four criteria."""

from __future__ import annotations

import argparse

from ..choose_k import CALLS, KChoice, Row
from ..choose_k import choose_k as choose
from .searching import searched
from .writing import answer, output


def add(commands: answer.Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "choose-k",
        help="choose the number of clusters",
        description="Cluster points by k-means for several k, and compare four criteria: the "
        "elbow of the inertia, the silhouette, the gap statistic and the stability. Ctrl-C stops "
        "the command and prints the results so far.",
    )
    searched.add_file(parser)
    parser.add_argument(
        "--k", type=int, nargs="+", metavar="K", help="numbers of clusters to try (1 to 10)"
    )
    parser.add_argument("--calls", type=int, default=CALLS, help=f"calls of each search ({CALLS})")
    parser.add_argument("--seeds", type=int, default=5, help="samples for the stability (5)")
    parser.add_argument(
        "--references", type=int, default=10, help="reference sets for the gap statistic (10)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers (0)")
    parser.add_argument(
        "--save",
        type=output.path_with(".csv"),
        metavar="PATH",
        help="write the table to a .csv file",
    )
    answer.add(parser)
    parser.set_defaults(run=run, problem=None, size=None, set=[])


def run(given: argparse.Namespace) -> int:
    """Choose k, print and save the result; return the exit status."""
    if given.save:
        output.check_file(given.save)
    if searched.example_of(given.file) is None:
        given.problem = "kmeans"
    name, data, _ = searched.data_of(given)
    if name != "kmeans":
        raise ValueError(f"{given.file} is an example for {name}. Give a file of points.")
    settings = {name: getattr(given, name) for name in ("calls", "seeds", "references", "seed")}
    found = choose(data.points, given.k, **settings)
    if not found.rows:
        raise KeyboardInterrupt  # stopped before the first k was done
    facts = {
        "data": data.name,
        "rows": [row._asdict() for row in found.rows],
        "suggestions": found.suggestions,
        "words": found.words,
        "interrupted": found.interrupted,
    }
    output.tell_and_save(given, facts, words(found), given.save, found.table.to_csv)
    return answer.status(found.interrupted)


def words(found: KChoice) -> str:
    """Return the result as text: one line per k, and the suggestions."""
    heads = [name.replace("_", " ") for name in Row._fields]
    lines = ["".join(f"{head:>12}" for head in heads)]
    lines += ["".join([f"{row.k:12}", *(f"{v:12.5g}" for v in row[1:])]) for row in found.rows]
    lines.append(found.words)
    if found.n_searched < found.n:
        lines.append(f"Computed from a sample of {found.n_searched} of {found.n} points.")
    if found.interrupted:
        lines.append("Stopped. These are the results so far.")
    return "\n".join(lines)
