"""The controls of a page. Each has one definition for drawing, links and checks.

A page's values are a plain dictionary in the session; widgets mirror it. A slider and the number
field above it are two widgets of one value. A widget that changes writes the value; the other
widget shows the new value when it is drawn next.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import streamlit as st

from prviz.ui.widgets.formatting import uniform

#: Range of number fields. If a field had the control's narrower range, Streamlit would mark numbers
#: outside it in red and not store them.
FARTHEST = (-(10**15), 10**15)
LOCKED = ":material/lock: locked"
LOCKED_HELP = "Locked by the link that opened this page."


class Control(NamedTuple):
    """A control of a page.

    Attributes
    ----------
    name : str
        Key of the value on the page and in a link.
    kind : "choice", "whole", "real" or "text"
    label, says, help : str
        Label, short description, and help text. A control without a label has a value in links, but
        is not visible.
    default : Any
    low, high : float
        Range of a number, or of the length of a text, inclusive.
    choices : dict of str to str
        For a choice: value → label.
    paper : Any
        Value in the paper's benchmark, if any.
    steps : sequence of number
        Stops of a slider that is not linear.
    told : function of a value, optional
        Return a description of an encoded value.
    check : function of a text, optional
        Raise a ValueError for an invalid value, with a message such as "is not a drawing".
    linked : function of a text, optional
        Return the value for links; it may be abbreviated.
    later : bool
        Whether links may omit the value, because the control is newer than the first links.
    """

    name: str
    kind: Literal["choice", "whole", "real", "text"]
    label: str
    default: Any
    help: str
    low: float = 0
    high: float = 0
    choices: Mapping[str, str] = {}
    paper: Any = None
    steps: Sequence[float] = ()
    says: str = ""
    told: Callable[[Any], str] | None = None
    check: Callable[[str], Any] | None = None
    linked: Callable[[str], str] | None = None
    later: bool = False


class Held(NamedTuple):
    """Names of locked controls: hidden, or shown and disabled."""

    hidden: frozenset[str] = frozenset()
    locked: frozenset[str] = frozenset()


FREE = Held()


class Controls:
    """The widgets of one page, which read and write its dictionary of values.

    Attributes
    ----------
    drawn : int
        Number of visible controls drawn so far.
    """

    def __init__(
        self, page: str, table: Sequence[Control], values: dict[str, Any], held: Held = FREE
    ) -> None:
        self.page = page
        self.table = {control.name: control for control in table}
        self.values = values
        self.held, self.drawn = held, 0
        self._echoes = st.session_state.setdefault(f"{page}-echoes", Echoes())
        self._echoes.begin()

    def shows(self, *names: str) -> bool:
        """Return True and count one drawn control, unless one of these controls is hidden."""
        shown = self.held.hidden.isdisjoint(names)
        self.drawn += shown
        return shown

    def locks(self, *names: str) -> bool:
        """Return True if the controls of these names are visible but locked."""
        return not self.held.locked.isdisjoint(names)

    def slider(
        self,
        name: str,
        high: float | None = None,
        disabled: bool = False,
        unit: str | None = None,
    ) -> None:
        """Draw a slider with a number field above it and a mark at the paper's value.

        ``unit`` names a choice that selects this control; the choice is drawn beside the slider.
        """
        if not self.shows(name):
            return
        control, disabled = self.table[name], disabled or self.locks(name)
        high = control.high if high is None else high
        with st.container(key=self._key(name, "slider-row"), gap=None):
            with self._line(control):
                self._exact(control, high, disabled)
                if unit and not self.locks(unit):
                    self._unit(unit)
            self._tell(name)
            self._track(control, high, disabled)
            if control.paper is not None:
                paper = uniform(f"paper {control.paper:g}")
                _mark(_place(control, high, control.paper), paper)

    def number(self, name: str, high: float | None = None, disabled: bool = False) -> None:
        """Draw a number field on its own line."""
        if not self.shows(name):
            return
        control = self.table[name]
        with self._line(control):
            self._exact(control, control.high if high is None else high, disabled)
        self._tell(name)

    def choice(self, name: str, disabled: bool = False) -> None:
        """Draw a select box."""
        if not self.shows(name):
            return
        control = self.table[name]
        key = self._mirror(name, "choice", self.values[name])
        with self._line(control):
            st.selectbox(
                control.label,
                list(control.choices),
                format_func=control.choices.__getitem__,
                key=key,
                disabled=disabled or self.locks(name),
                label_visibility="collapsed",
                on_change=self._take,
                args=(name, key),
            )

    def text(self, name: str) -> None:
        """Draw a text box; a text that is far too long is truncated."""
        if not self.shows(name):
            return
        control, locked = self.table[name], self.locks(name)
        key = self._mirror(name, "text", self.values[name])

        def take() -> None:
            self.values[name] = st.session_state[key][: int(control.high)]

        label = f"{control.label} {LOCKED}" if locked else control.label
        st.text_area(label, key=key, help=control.help, height=90, disabled=locked, on_change=take)

    def amount(self, unit: str) -> None:
        """Draw a number and a choice of its unit; each unit has its own control."""
        name, control, locked = self.values[unit], self.table[unit], self.locks(unit)
        if not self.shows(unit, name):
            return
        if locked:  # only one unit is possible
            control = control._replace(label=f"{control.label}, {control.choices[name]}")
        with self._line(control, self.locks(name)):
            self._exact(self.table[name], disabled=locked)
            if not locked:
                self._unit(unit)
        self._tell(name)

    def _unit(self, unit: str) -> None:
        """Draw the choice between alternative controls."""
        if unit in self.held.hidden:
            return
        control = self.table[unit]
        key = self._mirror(unit, "unit", self.values[unit])
        st.segmented_control(
            f"{control.label}: unit",
            list(control.choices),
            format_func=control.choices.__getitem__,
            key=key,
            required=True,
            label_visibility="collapsed",
            on_change=self._take,
            args=(unit, key),
        )

    def seed(self, name: str) -> None:
        """Draw a number field for a seed, with a button for a random seed."""
        if not self.shows(name):
            return
        control = self.table[name]
        with self._line(control):
            self._exact(control)
            st.button(
                "Another seed",
                key=self._key(name, "icon"),
                icon=":material/casino:",
                help="New random seed",
                disabled=self.locks(name),
                on_click=lambda: self.values.update({name: random.randrange(1_000_000)}),
            )
        self._tell(name)

    def _line(self, control: Control, locked: bool = False) -> Any:
        """Draw a line with the control's label and help."""
        locked = locked or self.locks(control.name)
        says = LOCKED if locked else control.says
        help_text = f"{LOCKED_HELP} {control.help}" if locked else control.help
        line = st.container(
            key=self._key(control.name, "line"),
            horizontal=True,
            wrap=False,
            vertical_alignment="center",
            gap="small",
        )
        line.markdown(f"**{control.label}** {says}".strip(), help=help_text)
        return line

    def _track(self, control: Control, high: float, disabled: bool) -> None:
        value = self.values[control.name]
        common: dict[str, Any] = {"label_visibility": "collapsed", "on_change": self._take}
        if control.steps:
            key = self._mirror(control.name, "slider", nearest(control.steps, value))
            args = (control.name, key)
            st.select_slider(
                control.label, control.steps, key=key, disabled=disabled, args=args, **common
            )
            return
        step: float = 1 if control.kind == "whole" else 0.01
        key = self._mirror(control.name, "slider", value if step == 1 else round(value, 2))
        st.slider(
            control.label,
            *_bounds(control, high),
            step=step,
            key=key,
            disabled=disabled,
            args=(control.name, key),
            **common,
        )

    def _exact(self, control: Control, high: float | None = None, disabled: bool = False) -> None:
        key = self._mirror(control.name, "exact", self.values[control.name])
        whole = control.kind == "whole"
        options: dict[str, Any] = {"step": 0.1, "format": "%g"}
        if whole:
            options = {"step": 1, "format": "%d"}
        st.number_input(
            f"{control.label}, exact",
            *_farthest(whole),
            **options,
            key=key,
            width=80,
            disabled=disabled or self.locks(control.name),
            label_visibility="collapsed",
            on_change=self._type,
            args=(control, key, control.high if high is None else high),
        )

    def _tell(self, name: str) -> None:
        """Show a message below a number field whose input was out of range."""
        became, message = self._echoes.said.get(name, (None, ""))
        if message and self.values[name] == became:
            st.caption(f":material/info: {message}")

    def _mirror(self, name: str, widget: str, value: Any) -> str:
        """Return the widget's key, after setting its state to the value."""
        key = self._key(name, widget)
        if key not in st.session_state or st.session_state[key] != value:
            self._echoes.behind[key] = st.session_state.get(key)
            st.session_state[key] = value
        return key

    def _take(self, name: str, key: str) -> None:
        if (value := st.session_state[key]) is not None:
            self._echoes.take(self.values, name, key, value)

    def _type(self, control: Control, key: str, high: float) -> None:
        """Store a typed number, clipped to its range."""
        if (typed := st.session_state[key]) is None:
            return
        value, message = within(control.label, typed, *_bounds(control, high))
        self._echoes.take(self.values, control.name, key, value)
        if message:
            self._echoes.said[control.name] = value, message

    def _key(self, name: str, widget: str) -> str:
        return f"{self.page}-{name}-{widget}"


class Echoes:
    """Distinguishes a user's change from old widget values that a browser still sends.

    A browser sends all widget values with every change, sometimes before it has received new
    values. If several widgets seem to have changed, widgets that sent their old value are ignored.

    Attributes
    ----------
    behind : dict
        Key of a widget → its value before the server's last update.
    said : dict
        Name of a value → the corrected number and a message, until the next change.
    """

    def __init__(self) -> None:
        self.behind: dict[str, Any] = {}
        self.said: dict[str, tuple[float, str]] = {}
        self.begin()

    def begin(self) -> None:
        """Forget the changes of the last script run."""
        self._changed, self._first = False, True
        self._before: dict[str, Any] = {}

    def take(self, values: dict[str, Any], name: str, key: str, value: Any) -> None:
        """Write the value of a changed widget, unless it is an echo."""
        if self._first:
            self.said.clear()
        self._first = False
        if key in self.behind and self.behind[key] == value:
            if not self._changed:  # undone if a real change follows
                self._before.setdefault(name, values[name])
                values[name] = value
        else:
            self._changed = True
            values.update(self._before)
            self._before.clear()
            values[name] = value


def within(label: str, typed: float, low: float, high: float) -> tuple[float, str]:
    """Clip a number to its range; return a message if it was outside."""
    value = min(max(typed, low), high)
    if value == typed:
        return value, ""
    shown = (f"{number:.12g}" for number in (low, high, typed, value))
    return value, "{} must be from {} to {}: {} was changed to {}.".format(label, *shown)


def remembered_number(
    label: str, low: float, high: float, key: str, first: float, **more: Any
) -> Any:
    """Draw a section's number field, which keeps its value and clips it to its range."""
    message_key = f"{key}-said"

    def take() -> None:
        st.session_state.pop(message_key, None)
        if (typed := st.session_state[key]) is not None:
            st.session_state[key], words = within(label, typed, low, high)
            if words:
                st.session_state[message_key] = words

    with st.container(width=more.pop("width", "stretch"), gap="xsmall"):
        value = st.number_input(
            label,
            *_farthest(isinstance(low, int)),
            value=None,
            key=remembered(key, first),
            on_change=take,
            **more,
        )
        if words := st.session_state.get(message_key):
            st.caption(f":material/info: {words}")
    return value


def remembered(key: str, first: Any) -> str:
    """Return the key of a widget, after restoring its last value.

    Streamlit forgets the value of a widget that a script run does not draw.
    """
    kept = st.session_state.setdefault("remembered", {})
    if st.session_state.get(key) is None:
        st.session_state[key] = kept.get(key, first)
    kept[key] = st.session_state[key]
    return key


def nearest(steps: Sequence[float], value: float) -> float:
    """Return the stop nearest to a value, or the lower one of two equally near stops."""
    right = bisect_left(steps, value)
    around = steps[max(0, right - 1) : right + 1]
    return min(around, key=lambda step: abs(step - value))


def changes(before: Mapping[str, Any], after: Mapping[str, Any], table: Sequence[Control]) -> str:
    """Describe the changes: "k₁ is now 3, seed is now 7"; empty without changes."""
    return ", ".join(
        f"{control.label} {'are' if control.told else 'is'} now "
        f"{_words(control, after[control.name])}"
        for control in table
        if control.label and before[control.name] != after[control.name]
    )


def _words(control: Control, value: Any) -> str:
    if control.told:
        return control.told(value)
    if control.kind == "choice":
        return control.choices[value]
    if control.kind == "text":
        return f"“{value[:20]}…”" if len(value) > 20 else f"“{value}”"
    if isinstance(value, float):
        return f"{value:.12g}"
    return f"{value:,}".replace(",", "\u202f")


def _farthest(whole: bool) -> tuple[Any, Any]:
    """Return the limits of a field that accepts any number, as int or as float."""
    return FARTHEST if whole else (float(FARTHEST[0]), float(FARTHEST[1]))


def _bounds(control: Control, high: float) -> tuple[float, float]:
    kind = int if control.kind == "whole" else float
    return kind(control.low), kind(high)


def _place(control: Control, high: float, value: float) -> float:
    """Return the position of a value on the slider's track, 0 … 1."""
    if control.steps:
        return control.steps.index(nearest(control.steps, value)) / (len(control.steps) - 1)
    return (min(value, high) - control.low) / (high - control.low)


def _mark(place: float, words: str) -> None:
    side = "before" if place > 0.5 else "after"
    st.html(
        f'<div class="prviz-mark {side}" style="--place: {place:.4f}"><span>{words}</span></div>'
    )
