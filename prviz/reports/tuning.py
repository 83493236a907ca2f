"""The report of a tuning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..experiments.runs.identity import hash_of_runs
from ..experiments.statistics.wording import amount, between
from ..figures.comparison.tuning_verdict import CellInfo, cell_info, verdict
from .losses import partial
from .map import key, map_of
from .page import facts, figure, heading, listed, page, table, words
from .provenance import machine, seeds_in_words, settings_in_words

MEASURES = {
    True: "Expected work: the iterations of all runs of a setting, divided by the number of runs "
    "that reached the target. Intervals are bootstrap 95 % CIs.",
    False: "Median best cost of n runs after the same work.",
}
CHECK = (
    "The best of many settings is partly lucky. So it is compared with {whose} again on fresh "
    "seeds. It counts as better only if the whole 95 % CI is in its favour."
)


def tuning_report(found: Any, title: str = "Tuning", cost: str = "cost") -> str:
    """Return one HTML document; see :meth:`prviz.tune.Tuning.report`."""
    if found.leader is None:
        raise ValueError("Nothing to report: the tuning has no runs.")
    cells = [cell_info(found, number) for number in range(len(found.cells))]
    target = math.isfinite(found.budget.target)
    ranking = found.ranking()
    rows = [_row(found, number, cells[number], target) for number in ranking]
    work = "Expected work [95 %]" if target else f"Median {cost}"
    head = ["Setting", work, *(["Solved"] * target), "n", "Dropped", "Levels", "Hash of the traces"]
    return page(
        title,
        [
            heading(title, 1),
            words(f"{len(cells)} settings, up to {max(i.n for i in cells)} seeds each", "quiet"),
            words(verdict(found), "verdict"),
            figure(map_of(found, cells), key(found, target), wide=True) if found.axes else "",
            heading("The check"),
            *_check(found),
            heading("Where partial reinitialisation loses"),
            listed(_losses(found, ranking)),
            heading("All settings"),
            table(f"The best first. {MEASURES[target]}", head, rows),
            heading("Made with"),
            facts(_facts(found)),
        ],
    )


def _row(found: Any, number: int, info: CellInfo, target: bool) -> list[str]:
    cell = found.cells[number]
    left = "" if info.dropped is None else f"after {found.rungs[info.dropped]} seeds"
    hits = [str(info.hits)] * target
    shown = settings_in_words(cell.contender)
    return [
        cell.name,
        info.says,
        *hits,
        str(info.n),
        left,
        shown,
        _hash(cell.name, found.runs[number]),
    ]


def _hash(name: str, runs: Mapping[int, Any]) -> str:
    return hash_of_runs((name, seed, runs[seed]) for seed in sorted(runs)) if runs else "–"


def _check(found: Any) -> list[str]:
    if found.checked is None:
        same = found.done and found.leader == found.usual
        why = "The leader is the usual setting itself." if same else "There was no check."
        return [words(why)]
    checked, name = found.checked, found.cells[found.leader].name
    chance, ratio = checked.chance, checked.ratio
    said = [
        f"n = {checked.n} fresh seeds of each. A run of {name} ends lower than a run of "
        f"{found.whose} in {chance.share} of pairs."
    ]
    if ratio is not None:
        said.append(
            f"To reach the target, {name} needs this multiple of the expected work of "
            f"{found.whose}: {amount(ratio.ratio)} "
            f"{between(ratio.low, ratio.high)}; solved {ratio.successes_a} of {ratio.n_a} against "
            f"{ratio.successes_b} of {ratio.n_b}."
        )
    names = {cell: found.cells[cell].name for cell in found.fresh}
    both = ", ".join(
        f"{names[cell]}: seeds {seeds_in_words(runs)}, {_hash(names[cell], runs)}"
        for cell, runs in found.fresh.items()
    )
    said.append(f"Hashes of these traces: {both}.")
    return [listed(said), words(CHECK.format(whose=found.whose), "quiet")]


def _losses(found: Any, ranking: list[int]) -> list[str]:
    """Describe settings that are no better than full restarts, and settings that were dropped."""
    own = [cell for cell in ranking if partial(found.cells[cell].contender)]
    said = []
    if found.full in ranking:
        place = ranking.index(found.full)
        behind = [found.cells[cell].name for cell in ranking[place + 1 :] if cell in own]
        said.append(
            f"Full restarts rank {place + 1} of {len(ranking)}; behind them: "
            f"{'; '.join(behind) or 'no setting of partial reinitialisation'}."
        )
    dropped = sum(cell in found.dropped for cell in own)
    said.append(
        f"{dropped} of {len(own)} settings of partial reinitialisation were significantly worse "
        f"than the leader, and dropped."
    )
    said.append(
        "Ranks are based on means over few seeds and are not a test. Dropped settings have fewer "
        "runs. Ranks may differ for another budget."
    )
    return said


def _facts(found: Any) -> dict[str, str]:
    seeds = sorted({seed for runs in found.runs for seed in runs})
    goal = found.budget.target
    return {
        "Work of a run": f"{found.budget.total:,.0f} {found.budget.axis}".replace(",", "\u202f"),
        "Target": f"a cost of {goal:.9g} or less" if math.isfinite(goal) else "none",
        "Seeds": f"{seeds_in_words(seeds)}; settings are dropped after "
        f"{', '.join(map(str, found.rungs[:-1]))} seeds",
        "Hash of the tuning": found.hash(),
        "Stopped early": "yes" if found.interrupted or not found.done else "no",
        **machine(found.problem),
    }
