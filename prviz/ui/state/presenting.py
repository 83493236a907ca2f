"""Presentation settings of a link: locked controls, bookmarks, and the view.

The player's part is in `prviz/player/static/present/presenter.js` and `bookmarks.js`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from prviz.ui.state.links import call_of, shown
from prviz.ui.widgets.controls import FREE, Control, Held

NAMES = ("present", "moments", "hide", "lock", "look")
VIEWS = ("simple", "lab")
MOST_MOMENTS = 100
#: Groups of values that count as one control, by the name of their first value.
TOGETHER = {"budget": ("budget", "seconds", "calls")}


class Presenting(NamedTuple):
    """Presentation settings of a link.

    Attributes
    ----------
    held : Held
    moments : tuple of int
        Bookmarked calls, ascending.
    view : str
        "simple" or "lab"; empty if the link does not set it.
    """

    held: Held = FREE
    moments: tuple[int, ...] = ()
    view: str = ""

    @property
    def params(self) -> dict[str, str]:
        """Return the locked and hidden controls as a query."""
        said = {"hide": self.held.hidden, "lock": self.held.locked}
        return {name: ",".join(sorted(which)) for name, which in said.items() if which}

    @property
    def marked(self) -> str:
        """Return the bookmarks in the format of links."""
        return ",".join(map(str, self.moments))

    def fixed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of hidden and locked controls."""
        names = self.held.hidden | self.held.locked
        return {each: values[each] for name in names for each in TOGETHER.get(name, (name,))}


NOTHING = Presenting()


def parse(query: Mapping[str, str], table: Iterable[Control]) -> tuple[Presenting, list[str]]:
    """Read a query; return settings and error messages."""
    known = {control.name for control in offered(table)}
    problems: list[str] = []
    hidden, locked = (_names(query, name, known, problems) for name in ("hide", "lock"))
    moments = _moments(query.get("moments", ""), problems)
    if query.get("present", "1") != "1":
        problems.append(f"`present` = {shown(query['present'])} is not 1")
    view = query.get("look", "")
    if view and view not in VIEWS:
        problems.append(f"`look` = {shown(view)} is neither simple nor lab")
        view = ""
    return Presenting(Held(hidden, locked - hidden), moments, view), problems


def offered(table: Iterable[Control], absent: Collection[str] = ()) -> list[Control]:
    """Return the controls that a link can lock: controls with a label, one per group.

    Parameters
    ----------
    table : iterable of Control
    absent : collection of str
        Names of controls that the page does not have with its present data.
    """
    left = {name for names in TOGETHER.values() for name in names[1:]}.union(absent)
    return [control for control in table if control.label and control.name not in left]


def _names(
    query: Mapping[str, str], name: str, known: Collection[str], problems: list[str]
) -> frozenset[str]:
    names = [each for each in query.get(name, "").split(",") if each]
    problems += [
        f"`{name}` names {shown(each)}, which is not a control of this page"
        for each in names
        if each not in known
    ]
    return frozenset(names) & frozenset(known)


def _moments(text: str, problems: list[str]) -> tuple[int, ...]:
    calls = [call_of(each) for each in text.split(",")] if text else []
    if None in calls or len(calls) > MOST_MOMENTS:
        problems.append(
            f"`moments` = {shown(text)} is not a list of at most {MOST_MOMENTS} calls, like 12,40"
        )
        return ()
    return tuple(sorted({call for call in calls if call}))


def agrees(preset: Mapping[str, Any], fixed: Mapping[str, Any]) -> bool:
    """Return True if a preset does not change locked values."""
    return all(fixed.get(name, value) == value for name, value in preset.items())


def named(table: Sequence[Control], names: Collection[str]) -> str:
    """Return the labels of controls."""
    return ", ".join(control.label for control in table if control.name in names)
