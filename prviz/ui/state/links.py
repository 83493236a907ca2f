"""Links that restore a page; the query contains all values and a version."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from prviz.ui.widgets.controls import Control

VERSION = "1"
LONGEST_TEXT = 500  # characters; longer links get truncated by some programs
LARGEST_CALL = 2**32 - 1
_HASH = re.compile(r"[0-9a-f]{16}")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_REAL = re.compile(r"[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?")


class Link(NamedTuple):
    """The contents of a link.

    Attributes
    ----------
    values : dict
        A valid value for every control, from the link or else the default.
    problems : list of str
        Error messages of the link; empty for a link from `to_params`.
    call : int or None
        The call at which the player should open.
    trace : str
        Hash of the run's trace when the link was made, or "".
    """

    values: dict[str, Any]
    problems: list[str]
    call: int | None
    trace: str = ""

    @property
    def at(self) -> dict[str, str]:
        """Return the call and the trace of the link, as a query."""
        call = {"call": str(self.call)} if self.call else {}
        return {**call, "trace": self.trace} if self.trace else call


def not_quite_right(problems: Sequence[str]) -> str:
    """Return a message about a link's errors, or ""."""
    if not problems:
        return ""
    listed = "; ".join(problems)
    return f"This link has errors. {listed}. Default values are used instead."


def parse(
    query: Mapping[str, str], controls: Iterable[Control], others: Collection[str] = ()
) -> Link:
    """Read a query; unknown, missing, malformed and out-of-range values are reported.

    In a query without `v`, which was typed by hand, values may be missing. ``others`` are further
    known names, which this function ignores.
    """
    controls = list(controls)
    values = {control.name: control.default for control in controls}
    known = {*values, "v", "call", "trace", *others}
    problems = [f"{shown(name)} is unknown" for name in query if name not in known]
    if query.get("v", VERSION) != VERSION:
        problems.append(f"its version {shown(query['v'])} is not {VERSION}")
    for control in controls:
        if control.name not in query:
            if "v" in query and not control.later:
                problems.append(_missing(control))
            continue
        text = query[control.name]
        try:
            values[control.name] = read(text, control)
        except ValueError as error:
            problems.append(f"`{control.name}` = {shown(text)} {error}")
    if "seconds" in query and not {"budget", "calls"} & {*query}:
        values["budget"] = "seconds"  # a link with seconds, but without budget and calls
    call = None
    if "call" in query:
        text = query["call"]
        if (call := call_of(text)) is None:
            problems.append(f"`call` = {shown(text)} is not the number of a call")
    trace = query.get("trace", "")
    if trace and not _HASH.fullmatch(trace):
        problems.append(f"`trace` = {shown(trace)} is not the hash of a trace")
        trace = ""
    return Link(values, problems, call, trace)


def call_of(text: str) -> int | None:
    """Return the number of a call; None for an invalid text."""
    sound = _WHOLE.fullmatch(text) and 1 <= int(text) <= LARGEST_CALL
    return int(text) if sound else None


def _missing(control: Control) -> str:
    if control.kind == "text" and control.high > LONGEST_TEXT:
        return (
            f"`{control.name}` exceeds the {LONGEST_TEXT} characters of a link: "
            "paste it again. A sample is shown instead"
        )
    return f"`{control.name}` is missing"


def read(text: str, control: Control) -> Any:
    """Return the value of one control; raise a ValueError with the reason if it is invalid."""
    if control.kind == "choice":
        if text not in control.choices:
            raise ValueError(f"is not one of {', '.join(control.choices)}")
        return text
    if control.kind == "text":
        if not control.low <= len(text) <= control.high:
            raise ValueError(f"is not {control.low:g} to {control.high:g} characters long")
        if control.check is not None:
            control.check(text)
        return text
    if control.kind == "whole":
        if not _WHOLE.fullmatch(text):
            raise ValueError("is not a whole number")
        number: float = int(text)
    else:
        if not _REAL.fullmatch(text):
            raise ValueError("is not a number")
        number = float(text)
    if not control.low <= number <= control.high:
        raise ValueError(f"is outside {control.low:g} to {control.high:g}")
    return number


def to_params(values: Mapping[str, Any]) -> dict[str, str]:
    """Return all values and the version as a query for `parse`.

    A text that is too long for a link is omitted, and `parse` reports that it is missing.
    """
    written = {name: str(value) for name, value in values.items()}
    return {
        "v": VERSION,
        **{name: text for name, text in written.items() if len(text) <= LONGEST_TEXT},
    }


def shown(text: str) -> str:
    """Return untrusted text, shortened and escaped for Markdown."""
    kept = "".join(character for character in text if character.isprintable())
    kept = kept.replace("`", "'")
    return f"`{kept[:24]}…`" if len(kept) > 24 else f"`{kept}`" if kept.strip() else "an empty text"
