"""Hidden Markov models: the problem, sparse and plain Baum–Welch, and sub-sets."""

from typing import Any

import numpy as np

from ... import datasets
from ...datasets.readers.corpora import read_corpus
from ...datasets.readers.text import decode
from ..entry import Entry, Example, Source
from .baum_welch import HMM
from .prediction import predictions
from .problem import hmm


def tiny() -> Any:
    problem = hmm("0110100110010110", 3)
    predictions(problem.sequence, np.eye(3), np.full((3, 2), 0.5), np.full(3, 1 / 3))
    return problem


def cases() -> dict[str, Any]:
    bits = "01101001100101101110"
    return {
        "sparse": hmm(bits, 6, baum_welch="sparse"),
        "plain": hmm(bits, 6, baum_welch="plain"),
        "several strings": hmm(bits, 3, lengths=[9, 1, 10]),
    }


def read(content: bytes, name: str, columns: Any = None, by: Any = None) -> Any:
    """Read one string from a text, or sequences from FASTA or a column."""
    if columns is None and not content.lstrip().startswith(b">"):
        return datasets.read_text(decode(content)[0], name)
    return read_corpus(content, name, columns[0] if columns else None, by)


def known(data: Any, size: int) -> float | None:
    return 0.0 if size >= len(data.sequence) else None


ENTRY = Entry(
    id="hmm",
    title="hidden Markov models",
    type=HMM,
    make=hmm,
    tiny=tiny,
    seconds=16.0,
    cases=cases,
    scene="prviz.scenes.hmm:scene",
    source=Source(
        name="Hidden Markov model",
        counts="states",
        make=hmm,
        examples={"bits32": Example(lambda: datasets.bits(32), 32)},
        holds="a text, bits, FASTA, or a column",
        read=read,
        known=known,
    ),
    paper={"k1": 8, "m1": 8000},
)
