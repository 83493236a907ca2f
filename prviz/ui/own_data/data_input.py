"""Input of your own data: a file, a paste or a sample, on every page the same.

What comes in stays in its tab: nothing is written to disk, and a link has its fingerprint alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from prviz.ui.widgets.controls import Control, Controls

LARGEST = 50  # MB
LONGEST_NAME = 40  # characters of a file's name that are shown
LONGEST_PASTE = 2_000_000  # characters
OWN, PASTED = "own", "pasted"
KEPT = (
    "Your data stay in this tab, are never written to disk, and are deleted with the tab. A "
    "link asks for them again."
)


class Sample(NamedTuple):
    """Data to try the input with: what the file is called, and what is in it."""

    name: str
    content: Callable[[], bytes]


class Given(NamedTuple):
    """What has been read: its name, the data, and what was made of them, the latest last."""

    name: str
    data: Any
    made: dict[Any, Any]


class Held(NamedTuple):
    """What a tab has given a page: by fingerprint, that of the run shown and the newest."""

    given: dict[str, Given]
    trouble: str


def data_of_tab(page: str) -> Held | None:
    """Return the data that the tab has for a page."""
    return st.session_state.get(_key(page))


def give_to_tab(page: str, held: Held) -> None:
    """Let the tab have data for a page that another session was given."""
    st.session_state[_key(page)] = held


def _key(page: str) -> str:
    return f"{page}-own"


class DataInput(NamedTuple):
    """Where a page takes data.

    Attributes
    ----------
    page : str
    control : str
        Name of the control whose value is the fingerprint of what was given.
    asks, help : str
        The kind of data to give, in short and in full.
    endings : tuple of str
        Of the names of files that are taken.
    read : function of a name and bytes
        The data; ValueError or TypeError say in a sentence why there are none.
    sample : Sample
    where : str
        Of what a link lacks: "points", "a matrix".
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
        """What there is."""
        return st.session_state.setdefault(_key(self.page), Held({}, self.none_yet))

    @property
    def none_yet(self) -> str:
        return f"No data yet: upload or paste {self.where}, try the sample, or choose another set."

    @property
    def elsewhere(self) -> str:
        """What a link is told whose data another tab has."""
        return "This link needs data from another tab. Upload or paste them here again."

    def arrive(self, values: dict[str, Any], before: dict[str, Any] | None, instead: str) -> str:
        """Have other data where a link names some that this tab hasn't got; says so."""
        if before is not None or values["data"] != OWN or self.has(values):
            return ""
        values.update({"data": instead, self.control: ""})
        return self.elsewhere

    def has(self, values: dict[str, Any]) -> bool:
        """Whether what these values name is there."""
        return values[self.control] in self.held.given

    def given(self, values: dict[str, Any]) -> Given:
        """What these values name; a ValueError says why it isn't there."""
        if not self.has(values):
            raise ValueError(self.held.trouble or self.none_yet)
        return self.held.given[values[self.control]]

    def made(self, values: dict[str, Any], names: tuple[str, ...], make: Callable[..., Any]) -> Any:
        """What is made of the data by values of these names, made once."""
        given = self.given(values)
        key = tuple(values[name] for name in names)
        if key not in given.made:
            while len(given.made) > 1:
                given.made.pop(next(iter(given.made)))
            given.made[key] = make(given.data, *key)
        return given.made[key]

    def take(self, name: str, content: bytes) -> str:
        """Read and keep what somebody gave; its fingerprint, empty where it can't be read."""
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
        """The ways in, and what has come in; None where there is nothing yet."""
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
        """A box to paste into, and a file to see what might be."""

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
        st.caption("Press Ctrl+Enter, or leave the box.")
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
        """The first lines of the sample, as far as it is text."""
        try:
            lines = self.sample.content()[:400].decode().splitlines()
        except UnicodeDecodeError:
            return ""
        return "\n".join(lines[:4])


def mark_control(name: str) -> Control:
    """The control that has a fingerprint: it is linked, and neither shown nor spoken of."""
    return Control(name, "text", "", "", "Hash of the data.", high=64, later=True)


def show_notice(trouble: str, notice: Callable[[], str]) -> None:
    """What is wrong with what was given, or else a remark on it."""
    if trouble:
        st.error(trouble, icon=":material/error:")
    elif message := notice():
        st.info(message)
