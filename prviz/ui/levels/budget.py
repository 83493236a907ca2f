"""The controls of budget and seed, which all pages share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prviz.ui.widgets.controls import Control


def budgets(calls: int = 2000) -> tuple[Control, ...]:
    """Return the controls of budget and seed, with ``calls`` as the default budget."""
    return (
        Control(
            "budget",
            "choice",
            "Budget",
            "calls",
            "Stop after this many seconds, or after this many calls of the local optimiser. To "
            "repeat a run exactly, use a budget in calls.",
            choices={"seconds": "s", "calls": "calls"},
        ),
        Control("seconds", "real", "Seconds", 2.0, "Seconds of search.", low=0.1, high=60.0),
        Control(
            "calls", "whole", "Calls", calls, "Calls of the local optimiser.", low=1, high=1_000_000
        ),
        Control(
            "seed",
            "whole",
            "Seed",
            0,
            "The same seed and the same number of calls give the same run.",
            low=0,
            high=2**31 - 1,
        ),
    )


def idle_budget(values: Mapping[str, Any]) -> str:
    """Return the name of the inactive budget."""
    return "calls" if values["budget"] == "seconds" else "seconds"


def budget(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the budget as arguments of `LiveRun`."""
    in_calls = values["budget"] == "calls"
    return {
        "seconds": None if in_calls else values["seconds"],
        "calls": values["calls"] if in_calls else None,
    }
