"""Input of the user's own data on any page: a file, pasted text or a sample.

Data stay in their tab: nothing is written to disk, and a link contains only a fingerprint.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from prviz.ui.widgets.controls import Control, Controls

LARGEST = 50  # MB
LONGEST_NAME = 40  # characters of a file's name on the page
LONGEST_PASTE = 2_000_000  # characters
OWN, PASTED = "own", "pasted"
KEPT = (
    "Your data stay in this tab, are never written to disk, and are deleted with the tab. A "
    "link asks for them again."
)


class Sample(NamedTuple):
    """A sample file: its name and its content."""

    name: str
    content: Callable[[], bytes]


class Given(NamedTuple):
    """Data that were read, with their name and cached results (the latest last)."""

    name: str
    data: Any
    made: dict[Any, Any]


class Held(NamedTuple):
    """The last two inputs of a page in a tab, by fingerprint, and an error message."""

    given: dict[str, Given]
    trouble: str


def data_of_tab(page: str) -> Held | None:
    """Return a page's data in this tab, or None."""
    return st.session_state.get(_key(page))


def give_to_tab(page: str, held: Held) -> None:
    """Store in this tab the data that a page had before a reload."""
    st.session_state[_key(page)] = held


def _key(page: str) -> str:
    return f"{page}-own"


class DataInput(NamedTuple):
    """The data input of a page.

    Attributes
    ----------
    page : str
    control : str
        Name of the control whose value is the fingerprint of the data.
    asks, help : str
        Label and help text of the input.
    endings : tuple of str
        Accepted file extensions.
    read : function of a name and bytes
        Read the data; a ValueError or TypeError explains why they are invalid.
    sample : Sample
    where : str
        Name of the data in messages: "points", "a matrix".
    """

    page: str
    control: str
    asks: str
    help: str
    endings: tuple[str, ...]
    read: Callable[[str, bytes], Any]
    sample: Sample
    where: str

    @property
    def held(self) -> Held:
        """Return the data of this page in this tab."""
        return st.session_state.setdefault(_key(self.page), Held({}, self.none_yet))

    @property
    def none_yet(self) -> str:
        return f"No data yet. Upload or paste {self.where}, try the sample, or choose another set."

    @property
    def elsewhere(self) -> str:
        """Return the message for a link whose data are in another tab."""
        return "This link needs data from another tab. Upload or paste them here again."

    def arrive(self, values: dict[str, Any], before: dict[str, Any] | None, instead: str) -> str:
        """Choose other data if this tab does not have the data of a link, and say so."""
        if before is not None or values["data"] != OWN or self.has(values):
            return ""
        values.update({"data": instead, self.control: ""})
        return self.elsewhere

    def has(self, values: dict[str, Any]) -> bool:
        """Return True if this tab has the data of these values."""
        return values[self.control] in self.held.given

    def given(self, values: dict[str, Any]) -> Given:
        """Return the data of these values; raise a ValueError if they are missing."""
        if not self.has(values):
            raise ValueError(self.held.trouble or self.none_yet)
        return self.held.given[values[self.control]]

    def made(self, values: dict[str, Any], names: tuple[str, ...], make: Callable[..., Any]) -> Any:
        """Return ``make(data, *values)`` for the values with these names, cached."""
        given = self.given(values)
        key = tuple(values[name] for name in names)
        if key not in given.made:
            while len(given.made) > 1:
                given.made.pop(next(iter(given.made)))
            given.made[key] = make(given.data, *key)
        return given.made[key]

    def take(self, name: str, content: bytes) -> str:
        """Read and store the user's data; return the fingerprint, or "" if they are invalid."""
        held = dict([*self.held.given.items()][-1:])
        mark, trouble = hashlib.sha256(content).hexdigest()[:12], ""
        name = re.sub(r"[^\w .()+-]", " ", name).strip("_ ")[-LONGEST_NAME:] or "your data"
        try:
            held[mark] = Given(name, self.read(name, content), {})
        except (ValueError, TypeError, MemoryError) as error:
            mark, trouble = "", f"{name}: {error}"
        st.session_state[_key(self.page)] = Held(held, trouble)
        return mark

    def draw(self, controls: Controls) -> Given | None:
        """Draw the inputs and return the data; None if there are none yet."""
        if not controls.shows(self.control):
            return None
        values = controls.values
        with st.container(key="own"):
            self._ways(controls)
            trouble = self.held.trouble
            if trouble != self.none_yet and trouble:
                st.error(trouble, icon=":material/error:")
            elif not self.has(values):
                st.info(self.none_yet)
            if self.has(values):
                st.caption(KEPT)
        return self.given(values) if self.has(values) else None

    def _ways(self, controls: Controls) -> None:
        key, locked = f"{controls.page}-own", controls.locks(self.control)

        def take(name: str, content: bytes) -> None:
            controls.values[self.control] = (
                self.take(name, content) or controls.values[self.control]
            )

        def upload() -> None:
            if (file := st.session_state[f"{key}-upload"]) is not None:
                take(file.name, file.getvalue())

        st.file_uploader(
            self.asks,
            type=[*self.endings],
            key=f"{key}-upload",
            on_change=upload,
            max_upload_size=LARGEST,
            help=self.help,
            disabled=locked,
        )
        with st.container(key=f"{key}-ways-row", horizontal=True, gap="small"):
            with st.popover("Paste", icon=":material/content_paste:", disabled=locked):
                self._pasting(key, take)
            st.button(
                "Try a sample",
                key=f"{key}-sample",
                icon=":material/science:",
                disabled=locked,
                on_click=lambda: take(self.sample.name, self.sample.content()),
            )

    def _pasting(self, key: str, take: Callable[[str, bytes], None]) -> None:
        """Draw a text box for pasting, and a sample file."""

        def paste() -> None:
            if text := st.session_state[f"{key}-paste"].strip():
                take(PASTED, text.encode())

        st.text_area(
            self.asks,
            key=f"{key}-paste",
            height=160,
            max_chars=LONGEST_PASTE,
            placeholder=self._beginning(),
            on_change=paste,
        )
        st.caption("When done, press Ctrl+Enter or click outside the box.")
        st.download_button(
            "Save a sample file",
            self.sample.content,
            self.sample.name,
            key=f"{key}-saved",
            icon=":material/download:",
            help=f"{self.sample.name}: the file format",
            on_click="ignore",
        )

    def _beginning(self) -> str:
        """Return the first lines of the sample, if it is text."""
        try:
            lines = self.sample.content()[:400].decode().splitlines()
        except UnicodeDecodeError:
            return ""
        return "\n".join(lines[:4])


def mark_control(name: str) -> Control:
    """Return the control of a fingerprint, which is part of links but not visible."""
    return Control(name, "text", "", "", "Hash of the data.", high=64, later=True)


def show_notice(trouble: str, notice: Callable[[], str]) -> None:
    """Draw an error message about the data, or else a notice."""
    if trouble:
        st.error(trouble, icon=":material/error:")
    elif message := notice():
        st.info(message)
