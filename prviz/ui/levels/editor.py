"""An editor for a hierarchy of up to eight levels, with one row per level.

An :class:`Editor` is a :class:`~prviz.ui.levels.hierarchy.Hierarchy` whose only value is
``levels``. If a row breaks a rule, the error is shown below the row, and the input is kept.

Whenever something other than typing changes the levels, the fields get new keys. An outdated event
of the browser then names a field that no longer exists, and cannot change the new levels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from prviz.engine.schedule import MAX_LEVELS, NO_LIMIT, Level, Schedule
from prviz.ui.levels import rows
from prviz.ui.levels.budget import budget, idle_budget
from prviz.ui.levels.sliders import STILL
from prviz.ui.widgets.controls import LOCKED, LOCKED_HELP, Control, Controls
from prviz.ui.widgets.formatting import counted, digits, sub

CONTROL = Control(
    "levels",
    "text",
    "Levels",
    "1x100,50",
    "On level l, k variables are redrawn M times per redraw on the level above. A redrawn variable "
    "keeps a share α of its old value. The top level redraws all variables: a restart. Its M is "
    "the number of restarts; leave it empty to let the budget end the run. A run that would take "
    "more than a day is not started. If a restart takes longer than the budget, the run ends "
    "before the restart is complete.",
    low=1,
    high=500,
    told=rows.levels_text,
)


class Editor:
    """Levels as rows.

    Parameters
    ----------
    many : function of values
        Plural name of the variables.
    subsets : function of values
        The problem's sub-set heuristics: name → label.
    partial : function of values
        Whether α applies to the problem.
    preset : function of values and N
        The default levels.
    """

    def __init__(
        self,
        many: Callable[[Mapping[str, Any]], str],
        subsets: Callable[[Mapping[str, Any]], Mapping[str, str]],
        partial: Callable[[Mapping[str, Any]], bool],
        preset: Callable[[Mapping[str, Any], int], list[Level]],
    ) -> None:
        self._many, self._subsets = many, subsets
        self._partial, self._preset = partial, preset

    # Interface to the page

    def fit(self, values: dict[str, Any], n: int, many: str) -> list[str]:
        """Let the top level redraw all N variables, if the text is valid; report a change."""
        try:
            levels = rows.read(values["levels"])
        except ValueError:
            return []
        if (former := levels[-1].size) == n:
            return []
        values["levels"] = rows.write([*levels[:-1], levels[-1]._replace(size=n)])
        return [f"k{sub(len(levels))} = {former} is not the number of {many}, so it is now {n}"]

    def levels(self, values: Mapping[str, Any], n: int) -> list[Level]:
        """Return the levels; raise a ValueError for invalid input or a broken rule."""
        levels = rows.read(values["levels"])
        for rule in self._broken(values, levels, n).values():
            raise ValueError(rule)
        return levels

    def schedule(self, values: Mapping[str, Any], n: int) -> Schedule:
        """Return the levels as a schedule."""
        return Schedule.from_levels(self.levels(values, n), n)

    def too_long(self, schedule: Schedule, rate: float | None) -> str:
        """Return an error if the restarts would take too long, or else ""."""
        return rows.endless(schedule.levels(), rate)

    def take(
        self, values: dict[str, Any], n: int, levels: Sequence[Level], table: Sequence[Control]
    ) -> str:
        """Set these levels; return a message about values that the controls cannot represent."""
        *below, top = levels
        taken = [level._replace(repeats=min(level.repeats, rows.LARGEST)) for level in below]
        values["levels"] = rows.write([*taken, top])
        more = next((level.repeats for level in below if level.repeats > rows.LARGEST), None)
        return f"M = {digits(more)} is above this page's limit." if more else ""

    def reset(self, values: dict[str, Any], n: int, defaults: Mapping[str, Any]) -> None:
        """Set the default levels."""
        values["levels"] = rows.write(self._preset(values, n))

    def adopt(
        self, values: dict[str, Any], n: int, k: int, m: int, table: Sequence[Control]
    ) -> str:
        """Set level 1 to k and M of a probe; return a message."""
        *below, top = rows.read(values["levels"])
        first = below[0] if below else Level(k)
        above = [level for level in below[1:] if rows.size_of(level) > k]
        taken = min(m, rows.LARGEST)
        sentences = [f"k₁ is now {k} and M₁ {digits(taken)}."]
        if taken < m:
            sentences.append(f"M₁ = {digits(m)} is above this page's limit.")
        if (less := len(below[1:]) - len(above)) > 0:
            sentences.append(f"{counted(less, 'level')} of size {k} or less removed.")
        levels = [first._replace(size=k, repeats=taken), *above, top]
        if k == n and not first.alpha:
            levels, sentences = (
                [top],
                [f"k = {k} redraws all variables: full restarts only, the standard method."],
            )
        values["levels"] = rows.write(levels)
        return " ".join(sentences)

    def idle(self, values: Mapping[str, Any], n: int) -> set[str]:
        """Return the names of values that have no effect."""
        return {idle_budget(values)}

    def cost(self, values: Mapping[str, Any], n: int, rate: float | None) -> str:
        """Return the expected time of a run; empty for invalid levels."""
        try:
            levels = self.levels(values, n)
        except ValueError:
            return ""
        return rows.cost(levels, rate, **budget(values))

    def _broken(self, values: Mapping[str, Any], levels: list[Level], n: int) -> dict[int, str]:
        return rows.broken(levels, n, self._many(values), tuple(self._subsets(values)))

    # Rows

    def draw(self, controls: Controls, n: int, idle: set[str]) -> None:
        """Draw one row per level, the top level first, each with its error below."""
        if not controls.shows("levels"):
            return
        values = controls.values
        levels = rows.read(values["levels"])
        broken = self._broken(values, levels, n)
        with st.container(key=f"{controls.page}-levels", gap=None):
            self._head(controls, levels, n)
            for number in range(len(levels), 0, -1):
                self._row(controls, levels, number)
                if rule := broken.get(number):
                    st.markdown(f":red[:material/error: {rule}]")
                elif levels[number - 1].alpha == 1:
                    st.caption(STILL)

    def _head(self, controls: Controls, levels: list[Level], n: int) -> None:
        values, locked = controls.values, controls.locks("levels")
        more = None if locked else rows.added(levels, n)
        with self._line(controls, "head"):
            st.markdown(f"**Levels** {LOCKED if locked else ''}".strip(), help=CONTROL.help)
            why = (
                f"There are {MAX_LEVELS} levels, the maximum."
                if len(levels) >= MAX_LEVELS
                else "There is no free size between the levels."
            )
            if locked:
                why = LOCKED_HELP
            st.button(
                "Add level",
                key=f"{controls.page}-add",
                icon=":material/add:",
                disabled=more is None,
                help="Add a level in the widest gap between two sizes, with M = 10"
                if more
                else why,
                on_click=self._add,
                args=(values,),
            )
        columns = ("k", "M", "α") if self._partial(values) else ("k", "M")
        names = "".join(f"<span>{name}</span>" for name in columns)
        st.html(f'<div class="prviz-columns" aria-hidden="true">{names}</div>')

    def _row(self, controls: Controls, levels: list[Level], number: int) -> None:
        top, partial = number == len(levels), self._partial(controls.values)
        i, locked = sub(number), controls.locks("levels")
        with self._line(controls, f"{number}"):
            st.markdown(f"**{number}**")
            self._entry(controls, levels, number, "size", f"k{i}", disabled=top)
            self._entry(controls, levels, number, "repeats", f"M{i}")
            if partial:
                self._entry(controls, levels, number, "alpha", f"α{i}", disabled=top)
            st.button(
                f"Remove level {number}",
                key=f"{controls.page}-{number}-out-icon",
                icon=":material/close:",
                help="The top level cannot be removed." if top else f"Remove level {number}",
                disabled=top or locked,
                on_click=self._take_out,
                args=(controls.values, number),
            )

    @staticmethod
    def _line(controls: Controls, name: str) -> Any:
        return st.container(
            key=f"{controls.page}-level-{name}-row",
            horizontal=True,
            wrap=False,
            vertical_alignment="center",
            gap="small",
        )

    def _entry(
        self,
        controls: Controls,
        levels: list[Level],
        number: int,
        field: str,
        label: str,
        disabled: bool = False,
    ) -> None:
        """Draw a number field; it accepts any value, because the rules report errors."""
        value: float | None = getattr(levels[number - 1], field)
        endless = field == "repeats" and number == len(levels)
        key = self._key(controls, number, field)
        if key not in st.session_state:
            st.session_state[key] = None if endless and value == NO_LIMIT else value
        whole = field != "alpha"
        most = 10 * rows.LARGEST - 1 if whole else 1e9
        st.number_input(
            label,
            -most,
            most,
            value=None,
            step=1 if whole else 0.1,
            format="%d" if whole else "%g",
            key=key,
            placeholder="no limit" if endless else None,
            disabled=disabled or controls.locks("levels"),
            label_visibility="collapsed",
            on_change=self._take,
            args=(controls, number, field, key),
        )

    def _entries(self, controls: Controls) -> dict[str, Any]:
        """Return the levels in the fields, and the number of changes made outside of the fields."""
        state = st.session_state.setdefault(f"{controls.page}-entries", {"count": 0, "show": ""})
        if state["show"] != controls.values["levels"]:
            state.update(count=state["count"] + 1, show=controls.values["levels"])
        return state

    def _key(self, controls: Controls, number: int, field: str) -> str:
        count = self._entries(controls)["count"]
        return f"{controls.page}-level-{number}-{field}-{count}"

    def _take(self, controls: Controls, number: int, field: str, key: str) -> None:
        """Store the input in the levels; restore the field if its input cannot be stored."""
        if key != self._key(controls, number, field):
            return  # the field no longer exists
        entries = self._entries(controls)
        levels = rows.read(controls.values["levels"])
        typed = value = st.session_state[key]
        endless = typed is None and field == "repeats" and number == len(levels)
        if typed is None:
            value = NO_LIMIT if endless else getattr(levels[number - 1], field)
        elif field == "alpha":
            value = float(f"{typed:.6g}")  # links keep six digits
        levels[number - 1] = levels[number - 1]._replace(**{field: value})
        controls.values["levels"] = rows.write(levels)
        entries["show"] = controls.values["levels"] if endless or typed == value else ""

    # A click may arrive after the levels have changed, so these functions read the levels again.

    @staticmethod
    def _add(values: dict[str, Any]) -> None:
        levels = rows.read(values["levels"])
        values["levels"] = rows.write(rows.added(levels, rows.size_of(levels[-1])) or levels)

    @staticmethod
    def _take_out(values: dict[str, Any], number: int) -> None:
        levels = rows.read(values["levels"])
        if number < len(levels):
            values["levels"] = rows.write([*levels[: number - 1], *levels[number:]])

    def more(self, controls: Controls, n: int) -> None:
        """Show a select box for each lower level's sub-set heuristic, if there is a choice."""
        choices = self._subsets(controls.values)
        levels = rows.read(controls.values["levels"])
        if len(choices) < 2 or not controls.shows("levels"):
            return
        for number, level in enumerate(levels[:-1], start=1):
            key = self._key(controls, number, "subset")
            known = level.subset if level.subset in choices else None
            if key not in st.session_state:
                st.session_state[key] = known
            with st.container(
                key=f"{controls.page}-subset-{number}-line",
                horizontal=True,
                wrap=False,
                vertical_alignment="center",
            ):
                st.markdown(f"**Level {number}** sub-sets")
                st.selectbox(
                    f"Sub-sets, level {number}",
                    list(choices),
                    index=None if known is None else 0,
                    format_func=choices.__getitem__,
                    key=key,
                    disabled=controls.locks("levels"),
                    label_visibility="collapsed",
                    on_change=self._take,
                    args=(controls, number, "subset", key),
                )
