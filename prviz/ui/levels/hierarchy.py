"""Common interface of the hierarchy's controls: sliders or rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from prviz.engine.schedule import Level, Schedule
from prviz.ui.widgets.controls import Control, Controls


class Hierarchy(Protocol):
    """Levels among the values of a page; ``n`` is N, the number of variables.

    ``sliders.py`` and ``editor.py`` have one each.
    """

    def fit(self, values: dict[str, Any], n: int, many: str) -> list[str]:
        """Bring the levels to N; says what that changed. ``many``: what N counts, in the plural."""

    def levels(self, values: Mapping[str, Any], n: int) -> list[Level]:
        """The levels, level 1 first; a ValueError says what cannot be read."""

    def schedule(self, values: Mapping[str, Any], n: int) -> Schedule:
        """The same, checked; a ValueError says which rule it would break."""

    def too_long(self, schedule: Schedule, rate: float | None) -> str:
        """Why no run is begun with so many calls, a sentence; ``rate``: calls a second here."""

    def adopt(
        self, values: dict[str, Any], n: int, k: int, m: int, table: Sequence[Control]
    ) -> str:
        """Put k and M of a probe on level 1; says what that came to."""

    def take(
        self, values: dict[str, Any], n: int, levels: Sequence[Level], table: Sequence[Control]
    ) -> str:
        """Have these levels; says in a sentence what the controls don't reach to."""

    def reset(self, values: dict[str, Any], n: int, defaults: Mapping[str, Any]) -> None:
        """The levels as they were at first."""

    def idle(self, values: Mapping[str, Any], n: int) -> set[str]:
        """Names of the values that have no effect beside the others."""

    def cost(self, values: Mapping[str, Any], n: int, rate: float | None) -> str:
        """What a run will cost, in one or two sentences."""

    def draw(self, controls: Controls, n: int, idle: set[str]) -> None:
        """Its controls; ``idle`` names values that have no effect."""

    def more(self, controls: Controls, n: int) -> None:
        """Those of its controls that lie in the folded part."""
