"""The interface of the hierarchy's controls, which are sliders or rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from prviz.engine.schedule import Level, Schedule
from prviz.ui.widgets.controls import Control, Controls


class Hierarchy(Protocol):
    """The levels that a page's values describe; ``n`` is N, the number of variables.

    ``sliders.py`` and ``editor.py`` implement it.
    """

    def fit(self, values: dict[str, Any], n: int, many: str) -> list[str]:
        """Adjust the levels to N; return messages, in which ``many`` names the variables."""

    def levels(self, values: Mapping[str, Any], n: int) -> list[Level]:
        """Return the levels, level 1 first; raise a ValueError for invalid input."""

    def schedule(self, values: Mapping[str, Any], n: int) -> Schedule:
        """Return the schedule; raise a ValueError if the levels break a rule."""

    def too_long(self, schedule: Schedule, rate: float | None) -> str:
        """Return an error if a run with ``rate`` calls per second would take too long, or ""."""

    def adopt(
        self, values: dict[str, Any], n: int, k: int, m: int, table: Sequence[Control]
    ) -> str:
        """Set level 1 to k and M of a probe; return a message."""

    def take(
        self, values: dict[str, Any], n: int, levels: Sequence[Level], table: Sequence[Control]
    ) -> str:
        """Set these levels; return a message about values that the controls cannot represent."""

    def reset(self, values: dict[str, Any], n: int, defaults: Mapping[str, Any]) -> None:
        """Set the default levels."""

    def idle(self, values: Mapping[str, Any], n: int) -> set[str]:
        """Return the names of values that have no effect."""

    def cost(self, values: Mapping[str, Any], n: int, rate: float | None) -> str:
        """Return the expected time of a run, in one or two sentences."""

    def draw(self, controls: Controls, n: int, idle: set[str]) -> None:
        """Draw the controls; ``idle`` has the names of values without effect."""

    def more(self, controls: Controls, n: int) -> None:
        """Draw the further controls in the expander."""
