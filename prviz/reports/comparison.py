"""The report of a comparison."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..engine.trace import gap_to
from ..experiments.runs.identity import hash_of_runs
from ..experiments.statistics.intervals import share_of
from ..experiments.statistics.wording import amount, between, signed, span
from ..figures.comparison.race import RaceInfo, race_figure, race_info
from ..figures.comparison.verdict import verdicts
from .losses import losses_in_words
from .page import facts, figure, figures, heading, legend, listed, page, still, table, words
from .provenance import machine, seeds_in_words, settings_in_words

WIDTH, RATIO = 11.0, 0.72  # width in cm of a chart that is readable on a phone; height ÷ width
NOTHING = 1e-9  # gaps in % up to this are rounding errors
BANDS = (
    "Line: median best cost of n runs. Dark band: its pointwise 95 % CI by order statistics (at "
    "least 6 runs). Light band: the middle half of the runs. ×: the crossover, the work from "
    "which the first contender's median stays below the second's, with its bootstrap 95 % CI. "
    "Nothing is smoothed."
)
SHARES = (
    "Share of all n runs that have reached the target. The band contains the whole curve with "
    "95 % confidence (Dvoretzky–Kiefer–Wolfowitz)."
)
COMPARED = "Medians are compared at {} values of the work."
AGAIN = "Medians and bands as in the first chart, on another axis of work."
SOLVED_AGAIN = "Shares of solved runs, on this axis of work."
DOTS = "One dot per run at its final cost. Vertical position has no meaning."
FAIR = (
    "Runs with equal seeds are not paired samples: they are compared as independent groups. All "
    "runs are compared up to the least work that any of them has done, so a longer run has no "
    "advantage."
)
UNITS = {"iterations": "iterations", "calls": "calls", "seconds": "CPU seconds"}


def comparison_report(
    found: Any,
    title: str = "Comparison",
    best_known: float | None = None,
    axis: str | None = None,
    cost: str = "cost",
    iteration: str = "iteration",
) -> str:
    """Return one HTML document; see :meth:`prviz.compare.Comparison.report`."""
    if not found.seeds:
        raise ValueError("Nothing to report: the comparison has no runs.")
    axis = axis or found._usual_axis
    info = race_info(found, best_known, axis)
    others = [race_info(found, best_known, other) for other in found.axes if other != axis]
    names = ", ".join(found.contenders)
    return page(
        f"{title}: {names}",
        [
            heading(title, 1),
            words(f"{names}: n = {len(found.seeds)} runs each", "quiet"),
            *(words(each, "verdict") for each in verdicts(found, info, iteration)),
            _charts(info, cost, iteration, (BANDS, SHARES)),
            _table(info, found, cost),
            heading("Where partial reinitialisation loses"),
            listed(
                [each for of in (info, *others) for each in losses_in_words(found, of, iteration)]
            )
            or words("There is no partial reinitialisation to compare with another method."),
            words(COMPARED.format(len(info.lanes[0].curve.work)), "quiet"),
            *(
                heading(f"By {_unit(of, iteration)}")
                + _charts(of, cost, iteration, (AGAIN, SOLVED_AGAIN))
                for of in others
            ),
            heading("Every run"),
            legend(_named(info)),
            figures(
                [figure(still(_dots(info, cost), WIDTH, 0.2 + 0.1 * len(info.lanes), DOTS), DOTS)]
            ),
            heading("Settings"),
            _settings(found),
            heading("Made with"),
            facts(_facts(found, best_known)),
            words(FAIR, "quiet"),
        ],
    )


def _unit(info: RaceInfo, iteration: str) -> str:
    return f"{iteration}s" if info.axis == "iterations" else UNITS[info.axis]


def _charts(info: RaceInfo, cost: str, iteration: str, captions: tuple[str, str]) -> str:
    """Return a figure of the costs, and one of the shares of runs that reached the target."""
    both = race_figure(info, cost, iteration)
    parts = []
    for number, caption in zip(("", "2"), captions, strict=True):
        lines = [line for line in both["data"] if str(line.get("xaxis", "x"))[1:] == number]
        if not lines:
            continue
        axes = {side: {**both["layout"][f"{side}{number}"]} for side in ("xaxis", "yaxis")}
        axes["xaxis"].pop("domain", None)
        data = [{**line, "xaxis": "x"} for line in lines]
        alone = {"data": data, "layout": {**axes, "showlegend": False}}
        parts.append(figure(still(alone, WIDTH, RATIO, caption), caption))
    return legend(_named(info)) + figures(parts)


def _named(info: RaceInfo) -> list[tuple[str, str, str]]:
    """Return the contenders' colours, dashes and names."""
    return [
        (lane.style.colour, lane.style.dash, f"{lane.name}, n = {len(lane.costs)}")
        for lane in info.lanes
    ]


def _dots(info: RaceInfo, cost: str) -> dict[str, Any]:
    """Draw every run's best cost, or its gap if the best cost is known; one row per contender."""
    known = info.known
    data = []
    for row, lane in enumerate(info.lanes):
        costs = lane.costs if not known else 100 * gap_to(known, lane.costs)
        heights = -row + 0.6 * (np.array(lane.seeds) * 0.618034 % 1 - 0.5)
        data.append(
            {
                **{"x": costs.tolist(), "y": heights.tolist(), "mode": "markers"},
                **{"name": f"{lane.name}, n = {len(costs)}"},
                "marker": {"size": 6, "color": lane.style.colour, "opacity": 0.6},
            }
        )
    along = f"gap to the best known {cost}, %" if known else f"best {cost}"
    rows = {"tickvals": [], "ticktext": [], "range": [0.6 - len(info.lanes), 0.6]}
    axes = {"xaxis": {"title": {"text": along}}, "yaxis": rows}
    return {"data": data, "layout": {**axes, "showlegend": False}}


def _table(info: RaceInfo, found: Any, cost: str) -> str:
    solved = found.target is not None
    middle = "Median gap, % [95 %]" if info.known else f"Median {cost} [95 %]"
    head = ["Contender", "n", middle, *(["Solved [95 %]", f"ERT, {info.axis} [95 %]"] * solved)]
    rows = []
    for lane in info.lanes:
        row = [lane.name, str(lane.curve.n), _median(lane.curve, info.known)]
        if solved:
            share = share_of(int(lane.hit.sum()), len(lane.hit))
            row.append(f"{lane.hit.sum()}: {share.share:.0%} [{share.low:.0%}–{share.high:.0%}]")
            time = found.ert(lane.name, axis=info.axis)
            none = f"above {amount(time.low)}"
            row.append(
                f"{amount(time.work)} {between(time.low, time.high)}" if time.successes else none
            )
        rows.append(row)
    work = f"{amount(info.frontier)} {UNITS[info.axis]}"
    end = f"At {work}, the work up to which all runs are compared"
    return table(end, head, rows)


def _median(curve: Any, known: float | None) -> str:
    values = [float(column[-1]) for column in (curve.median, curve.low, curve.high)]
    if known:
        gaps = (100 * float(gap_to(known, value)) for value in values)
        values = [gap if gap > NOTHING else 0.0 for gap in gaps]
    middle, low, high = map(amount if known else signed, values)
    if not math.isfinite(values[0]):
        return "none yet"
    interval = span(low, high) if all(map(math.isfinite, values)) else "no interval"
    return f"{middle} [{interval}]"


def _settings(found: Any) -> str:
    seeds = seeds_in_words(found.seeds)
    rows = [
        [
            *(name, settings_in_words(contender), f"{seeds} (n = {len(found.seeds)})"),
            hash_of_runs((name, s, r) for s, r in zip(found.seeds, found.runs[name], strict=True)),
        ]
        for name, contender in found.contenders.items()
    ]
    return table(
        "The hash covers all best-so-far traces, names and seeds, but not the seconds. Searches "
        "with the same engine, settings, seeds and work have the same hash on any machine.",
        ["Contender", "Settings", "Seeds", "Hash of the traces"],
        rows,
    )


def _facts(found: Any, best_known: float | None) -> dict[str, str]:
    axis = UNITS[found.axis]
    made = {"Budget": f"counted in {axis}"}
    if found.axis in found.axes:
        least = amount(found.frontier())
        made["Budget"] += f"; every run used at least {least}, unless it could not continue"
    if not found.timed:
        made["CPU time"] = "not compared: runs shared cores, or come from different machines"
    made["Target"] = "none" if found.target is None else f"a cost of {found.target:.9g} or less"
    made["Best known cost"] = "not given" if best_known is None else f"{best_known:.9g}"
    if "iterations" in found.axes:
        made["Hash of the comparison"] = f"{found.hash()}, up to the work that all runs have done"
    made["Stopped early"] = "yes" if found.interrupted else "no"
    if found.stored:
        made["From a store"] = f"{found.stored} runs came from the store"
    return {**made, **machine(found.problem)}
