"""Hidden Markov models: the problem, its kinds of Baum–Welch, and the sub-set heuristics."""

from typing import Any

import numpy as np

from ... import datasets
from ...datasets.readers.corpora import read_corpus, read_text, text_of
from ...datasets.readers.series import read_series
from ...datasets.types.strings import FASTA
from ..entry import Entry, Example, Source, Variant
from .baum_welch import HMM
from .gaussian import GaussianHMM
from .plain import PlainHMM
from .prediction import predictions
from .problem import hmm


def tiny() -> Any:
    problem = hmm("0110100110010110", 3)
    predictions(problem.sequence, np.eye(3), np.full((3, 2), 0.5), np.full(3, 1 / 3))
    return problem


def tiny_gaussian() -> Any:
    return hmm([0.0, 1.0, 0.5, 3.0, 2.0, 2.5, 0.25, 1.5], 3, emissions="gaussian")


def cases() -> dict[str, Any]:
    bits = "01101001100101101110"
    waves = np.array([[t * 7 % 10, t * t % 11, t % 3] for t in range(24)]) / 4
    return {
        "sparse": hmm(bits, 6, baum_welch="sparse"),
        "plain": hmm(bits, 6, baum_welch="plain"),
        "several strings": hmm(bits, 3, lengths=[9, 1, 10]),
        "gaussian": hmm(waves[:, 0], 4, emissions="gaussian"),
        "gaussian, full": hmm(
            waves, 5, lengths=[15, 1, 8], emissions="gaussian", covariance_type="full"
        ),
        "gaussian mixture": hmm(waves[:, :2], 3, emissions="gaussian", n_mix=2),
    }


def read(
    content: bytes,
    name: str,
    columns: Any = None,
    by: Any = None,
    emissions: str = "categorical",
    **options: Any,
) -> Any:
    """Read one string (a text), strings (FASTA or a column), or series of numbers (columns)."""
    if emissions == "gaussian":
        return read_series(content, name, columns=columns, by=by, **options)
    if options:
        raise ValueError(f"--{next(iter(options))} applies to --emissions gaussian only.")
    if columns and len(columns) > 1:
        raise ValueError("--columns must name one column of symbols.")
    text = text_of(content, name)[0]
    if columns is by is None and not FASTA.match(text):
        read = read_text(content, name)
        joined = "Line breaks are ignored." if "\n" in text.strip() else ""
        return read._replace(notice=" ".join(filter(None, [joined, read.notice])))
    return read_corpus(content, name, columns[0] if columns else None, by)


def known(data: Any, size: int) -> float | None:
    if isinstance(data, datasets.Series):
        return None
    return 0.0 if size >= len(data.sequence) else None


ENTRY = Entry(
    id="hmm",
    title="hidden Markov models",
    type=HMM,
    make=hmm,
    tiny=tiny,
    kinds={PlainHMM: "prviz.scenes.hmm:scene", GaussianHMM: "prviz.scenes.series:scene"},
    on_demand={
        "gaussian-hmm": Variant(
            "hidden Markov models of series", GaussianHMM, tiny_gaussian, seconds=14.0
        )
    },
    seconds=16.0,
    cases=cases,
    scene="prviz.scenes.hmm:scene",
    live="prviz.live_page.drawing.hmm:picture",
    source=Source(
        name="Hidden Markov model",
        counts="states",
        make=hmm,
        examples={
            "bits32": Example(lambda: datasets.bits(32), 32),
            "regimes": Example(lambda: datasets.regimes(300), 3),
        },
        holds="a text, bits, FASTA, a column, or a series of numbers (--emissions gaussian)",
        read=read,
        known=known,
    ),
    paper={"k1": 8, "m1": 8000},
)
