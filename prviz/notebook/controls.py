"""The sliders above a player: their ranges, and the schedule that their values define."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..checks import real_number, whole_number
from ..engine.kernels import blends, n_variables
from ..engine.schedule import Level, Schedule
from ..problems import entry_of
from ..search.settings import make_schedule

MOST_M1 = 1_000_000

ROUND = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70)  # also multiplied by 100, 10 000 …
CHANCES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)


class Settings:
    """The values of a player's sliders.

    Parameters
    ----------
    problem
    noun : (str, str)
        Name of a variable, singular and plural.
    levels : sequence of Level, optional
        Levels that replace the sliders.
    subset : str
    values : dict
        Initial value of the seed. Without ``levels``, also of k1 or probability, m1 and alpha.
    """

    def __init__(
        self,
        problem: Any,
        noun: tuple[str, str],
        levels: Sequence[Level] | None,
        subset: str,
        values: dict[str, Any],
    ):
        self._problem, self._noun, self._levels, self._subset = problem, noun[1], levels, subset
        self.values = values

    def schedule(self, values: Mapping[str, Any]) -> Schedule:
        """Return the schedule of these values; raise an error if they are invalid."""
        if self._levels is not None:
            return make_schedule(self._problem, levels=self._levels)
        given = {name: values[name] for name in self.values if name != "seed"}
        return make_schedule(self._problem, subset=self._subset, **given)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`prviz.run` for the same search."""
        if self._levels is not None:
            return {"levels": [*self._levels], "seed": self.values["seed"]}
        return {**self.values, **({} if self._subset == "random" else {"subset": self._subset})}

    def take(self, values: Mapping[str, Any]) -> Schedule:
        """Set the values and return their schedule; raise an error if they are invalid."""
        checked = {name: _number(values.get(name), name) for name in self.values}
        schedule = self.schedule(checked)
        self.values = checked
        return schedule

    def controls(self) -> list[dict[str, Any]]:
        """Return the controls; ``stops`` are the values of a slider, and the seed has no slider."""
        N = n_variables(self._problem)
        entry = entry_of(self._problem)
        each = {
            "k1": (
                "k₁",
                f"of {N} {self._noun} redrawn",
                f"Number of {self._noun} that a partial reinitialisation redraws. With {N}, it "
                "redraws all of them: a full restart, the standard method.",
                stops(N),
            ),
            "probability": (
                "p",
                f"of the {N} {self._noun} redrawn",
                f"Probability with which each of the {self._noun} is redrawn.",
                CHANCES,
            ),
            "m1": (
                "M₁",
                "redraws per restart",
                "Number of partial redraws per full restart.",
                stops(MOST_M1),
            ),
            "alpha": (
                "α",
                "of the old value kept",
                "Share of its old value that a redrawn variable keeps: equation (1) of the paper.",
                [i / 100 for i in range(101)],
            ),
            "seed": (
                "Seed",
                "the same seed gives the same run",
                "Seed of the random numbers.",
                (),
            ),
        }
        alpha = blends(self._problem) and (entry is None or entry.alpha)
        hidden = set() if alpha else {"alpha"}
        return [
            {"name": name, "label": label, "says": says, "help": tip, "stops": [*at] or None}
            for name, (label, says, tip, at) in each.items()
            if name in self.values and name not in hidden
        ]


def stops(most: int) -> list[int]:
    """Return the round numbers below ``most``, and ``most``; up to 20, return all numbers."""
    if most <= 20:
        return [*range(1, most + 1)]
    found, scale = [], 1
    while scale <= most:
        found += [scale * number for number in ROUND if scale * number < most]
        scale *= 100
    return [*sorted(set(found)), most]


def _number(value: Any, name: str) -> Any:
    shown = {"k1": "k₁", "m1": "M₁", "alpha": "α", "probability": "p", "seed": "the seed"}[name]
    if isinstance(value, str):
        raise ValueError(f"{shown} must be a number, got {value[:40]!r}.")
    if name in ("alpha", "probability"):
        return float(real_number(value, shown))
    whole = whole_number(int(value) if float(value).is_integer() else value, shown)
    if name == "seed" and whole < 0:
        raise ValueError(f"the seed must be 0 or more, got {whole}.")
    return whole
