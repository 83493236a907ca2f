"""Figures and cards of results and data sets in notebooks; see :mod:`prviz.display`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.schedule import levels_in_words
from ..engine.trace import KEPT, UNDECIDED, Trace
from ..search.probe import Probe
from ..search.run import Run
from .card import card
from .curve import curve_info, plot_curve
from .dataset import DATA_FIGURES
from .epsilon import epsilon_info, plot_epsilon
from .style import Figure


def trace_figure(trace: Trace) -> Figure:
    """Draw the best cost so far against iterations of the optimiser."""
    return plot_curve([curve_info("this trace", trace)])


def trace_card(trace: Trace) -> str:
    """Return a card with the share of redraws that were kept on each level, and the curve."""
    head = "level", "redraws decided", "kept"
    rows = []
    for level in range(1, trace.n_levels + 1):
        column = trace.kept[:, level - 1]
        decided, kept = int((column != UNDECIDED).sum()), int((column == KEPT).sum())
        share = f"{kept:,} ({kept / decided:.1%})" if decided else "–"
        rows.append((level, f"{decided:,}", share))
    title = f"{trace!r}"[1:-1]
    return card(title, rows, trace.figure if len(trace) else None, head=head)


def run_figure(run: Run) -> Figure:
    """Draw the best cost so far of a run against iterations of the optimiser."""
    return plot_curve([curve_info("this run", run.trace)])


def run_card(run: Run) -> str:
    """Return a card with the settings, the work and the curve of a run."""
    kind = type(run.problem).__name__
    rows = [
        ("optimiser calls", f"{run.calls:,} in {run.seconds:.2f} CPU s"),
        ("levels", levels_in_words(run.levels)),
        ("seed, trace", f"{run.seed}, {run.trace.hash()}"),
    ]
    if run.workers > 1:
        rows.insert(1, ("workers", f"{run.workers}, which share their best result"))
    if ended := run.failure or ("stopped early" if run.interrupted else ""):
        rows.append(("ended", ended))
    title = f"{kind}: best cost {run.best_cost:.10g}"
    return card(title, rows, run.figure if run.calls else None, alt="Best cost against iterations")


def probe_figure(probe: Probe, n: int | None = None, many: str = "variables") -> Figure:
    """Draw ε by k with its intervals; ``n`` is the number of variables."""
    most = int(max(probe.repeats.max(initial=1), 1))
    return plot_epsilon(epsilon_info(probe), probe.sizes, most, n or -1, many)


def probe_card(probe: Probe) -> str:
    """Return a card with one row per size, and the figure of ε."""
    best = probe.best_size
    found = f"k = {best} improved most often" if best else "no redraw improved"
    rows = [
        (k, f"{hits} of {n}", f"{low:.2g}–{high:.2g}", f"{work:.3g}" if hits else "–")
        for k, hits, n, (low, high), work in zip(
            *(probe.sizes, probe.improved, probe.repeats, probe.intervals(), probe.work()[:, 0]),
            strict=True,
        )
    ]
    head = "k", "improved", "ε, 95 %", "iterations per improvement"
    title = f"Redraws from an optimum of cost {probe.cost:.10g}: {found}"
    return card(title, rows, probe.figure, head=head, alt="Share of redraws that improved")


def data_card(data: Any) -> str:
    """Return a card with the name, source, size and picture of a data set."""
    rows = [("source", data.source), ("shape", " × ".join(map(str, data[0].shape)))]
    if (known := getattr(data, "best_known", None)) is not None:
        rows.append(("best known", f"{known:.10g}"))
    if getattr(data, "stand_in", False):
        rows.append(("stand-in", "a stand-in for another data set"))
    if data.notice:
        rows.append(("note", data.notice))
    return card(data.name, rows, data.figure, alt=f"A picture of {data.name}")


FIGURES: dict[type, Callable[..., Any]] = {
    Trace: trace_figure,
    Run: run_figure,
    Probe: probe_figure,
    **DATA_FIGURES,
}
CARDS: dict[type, Callable[[Any], str]] = {
    Trace: trace_card,
    Run: run_card,
    Probe: probe_card,
    **dict.fromkeys(DATA_FIGURES, data_card),
}
