"""The base of Race and Tuning: controls of a benchmark and of the page, and a board of runs."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import streamlit as st

from prviz.datasets import DataUnavailable
from prviz.engine.schedule import Schedule
from prviz.player.batch.many import Many
from prviz.player.live import LiveRun
from prviz.player.resources import store
from prviz.ui.benchmark import Benchmark, Values
from prviz.ui.catalogue import PAGES, benchmark
from prviz.ui.experiments.recordings import recording
from prviz.ui.own_data.data_input import data_of_tab, give_to_tab
from prviz.ui.serve import session
from prviz.ui.serve.component import board, board_event
from prviz.ui.state.links import not_quite_right, parse, to_params
from prviz.ui.state.page_state import PageState, Restored, received
from prviz.ui.widgets.controls import Control, Controls


class ManyRunsPage(ABC):
    """A page of many runs.

    Attributes
    ----------
    page : str
    table : tuple of Control
        The page's own controls; the first control, "page", chooses the benchmark.
    reset_values : dict
        Values of the page's own controls after a change of the benchmark.
    title, claim, words : str
        Texts: the heading (before the name of the data), the summary, and the text below the board.
    begins : bool
        Whether opening a link starts the runs.
    leveled : bool
        Whether the page uses the benchmark's levels, and shows their controls.
    """

    page: str
    table: Sequence[Control]
    reset_values: Values
    title: str
    claim: str
    words: str
    begins = False
    leveled = True

    def __init__(self) -> None:
        self.tab = session.tab()
        self.own = [control.name for control in self.table]
        self.state = self._open_state()
        self.benchmark: Benchmark = benchmark(self.values["page"])
        self.trouble = self._reconcile()
        self.schedule: Schedule | None = None
        self.broken = ""
        try:
            self.schedule = self.benchmark.schedule(self.values)
        except ValueError as error:
            self.broken = str(error)

    # Implemented or overridden by subclasses

    def fit(self) -> None:
        """Adjust the page's own values to the benchmark."""
        return

    @abstractmethod
    def made(self) -> Many:
        """Return the runs for the present values; raise an error if they are invalid."""

    @abstractmethod
    def controls(self, own: Controls, controls: Controls) -> None:
        """Draw the page's own controls, and the benchmark's controls that it needs."""

    def heard(self, name: str) -> None:
        """Handle an event that only the board of this page sends."""
        return

    # One run of the page's script

    @property
    def values(self) -> Values:
        return self.state.values

    @property
    def many(self) -> Any:
        return self.tab.held(self.page)

    @property
    def known(self) -> float | None:
        """Return the lowest known cost of the runs shown."""
        return self.many.known if self.many else None

    def show(self) -> None:
        """Draw the page."""
        self._prepare()
        self._board()
        with st.sidebar, st.container(key="controls"):
            self._controls()
        with st.container(key="words"):
            st.markdown(self.words)

    def _open_state(self) -> PageState:
        """Return the page's state: from another page, from this tab, or from the link."""
        sent, state = received(self.page), PageState.of(self.page)
        if sent:
            page, values, _ = sent
            first = {control.name: control.default for control in self.table}
            kept = {name: state.values[name] for name in self.own} if state else first
            values = {**kept, **values, **self.reset_values, "page": page}
            state = state or PageState.begin(self.page, values)
            state.values, state.reconciled, state.opened = values, {}, None
            return state
        if state is not None:
            return state
        query = st.query_params
        name = query.get("page", PAGES[0])
        shown = benchmark(name if name in PAGES else PAGES[0])
        link = parse(query, (*self.table, *shown.table))
        state = PageState.begin(self.page, link.values)
        try:
            shown.data(link.values)
        except DataUnavailable:
            state.reconciled = {}  # the default data are used, and the reason is shown
        except (ValueError, TypeError):
            pass  # the user's data are missing or invalid
        state.asked = self.begins and "v" in query and not link.problems
        state.amiss = not_quite_right(link.problems)
        return state

    def _reconcile(self) -> str:
        """Make the values consistent; after a change of the benchmark, use its default values."""
        values, former = self.values, self.state.reconciled or None
        if former not in (None, values):
            self.state.amiss = ""
        if former and former["page"] != values["page"]:
            own = {name: values[name] for name in self.own}
            values.clear()
            values.update({**self.benchmark.defaults, **own, **self.reset_values})
            former = None
        given = set(values) if former is None else ()
        trouble = self.benchmark.reconcile(values, former, given)
        self.benchmark.fit(values)
        self.fit()
        self.state.reconciled = dict(values)
        return trouble

    def _controls(self) -> None:
        shown, values = self.benchmark, self.values
        own = Controls(self.page, self.table, values)
        own.choice("page")
        controls = Controls(f"{self.page}-{shown.page}", shown.marked(values), values)
        shown.choose(controls)
        self.controls(own, controls)
        if self.trouble and self.trouble != shown.wrong(values):
            st.error(self.trouble, icon=":material/error:")
        key = f"{self.page}-{shown.page}-folded"
        with st.expander(shown.folded, icon=":material/tune:", key=key):
            shown.refine(controls)
            if self.leveled:
                shown.hierarchy.more(controls, shown.n(values))

    def several(self, name: str, options: Sequence[str], labels: dict[str, str]) -> None:
        """Draw a control for several options; its value is a list separated by commas."""
        key = f"{self.page}-{self.benchmark.page}-{name}"
        control = next(control for control in self.table if control.name == name)
        chosen = self.chosen(name, options)
        if key not in st.session_state or st.session_state[key] != chosen:
            st.session_state[key] = chosen
        st.pills(
            control.label,
            list(options),
            selection_mode="multi",
            key=key,
            help=control.help,
            format_func=lambda option: labels.get(option, option),
            on_change=lambda: self.values.update({name: ",".join(st.session_state[key])}),
        )

    def chosen(self, name: str, options: Sequence[str]) -> list[str]:
        """Return the ``options`` that are in the comma-separated value ``name``."""
        names = self.values[name].split(",")
        return [option for option in options if option in names]

    # Runs

    def _prepare(self) -> None:
        """Give the tab new runs if the values have changed. The runs start when Run is pressed."""
        state = self.state
        values = self._relevant()
        start, state.asked = state.asked, False
        if self.many is not None and values == state.made and not start:
            return
        broken = self.broken if self.leveled else ""
        if broken or self.benchmark.wrong(self.values):
            self.trouble = broken or self.benchmark.wrong(self.values)
            return
        former = self.many
        if former is not None and former.begun and state.made is not None:
            self.tab.keep(self.page, state.made, former)
        if not start and (kept := self.tab.find_kept(self.page, values)):
            state.made = values
            self.tab.take(self.page, kept, start=False)
            return
        try:
            many = self.made()
        except (ValueError, TypeError, MemoryError) as error:
            self.trouble = str(error) or "Not enough memory: choose fewer runs or less data."
            return
        many.origin = self.benchmark.code(self.values)
        many.restores = Restored(self.page, dict(self.values), data_of_tab(self.benchmark.page))
        recorded = recording(self.page, self.benchmark.page)
        # the recording may be older than some controls: use their defaults
        if recorded and {**self.benchmark.defaults, **recorded.values} == values:
            with contextlib.suppress(KeyError):  # the recording may have other contenders or seeds
                many.show_recorded(recorded)
        many.message, state.notice = state.notice, ""
        state.made = values
        self.tab.take(self.page, many, start=start)

    def _relevant(self) -> Values:
        """Return the values that the runs depend on."""
        of_page = self.benchmark.relevant(
            {name: self.values[name] for name in self.benchmark.defaults}
        )
        seedless = {"seed": 0, "budget": "", "seconds": 0, "calls": 0}
        return {**of_page, **seedless, **{name: self.values[name] for name in self.own}}

    def goal(self, known: float | None) -> float:
        """Return the cost at which runs end; −∞ if there is none."""
        if known is None:
            return self.values["aim"] or float("-inf")
        return known + self.values["target"] / 100 * (abs(known) or 1.0)

    def shows(self, schedules: dict[str, Schedule]) -> Any:
        """Return a function that makes one of the runs again, with the present values."""
        shown = self.benchmark
        own = {name: self.values[name] for name in shown.defaults}

        def replay(name: str, seed: int, calls: int) -> tuple[LiveRun, dict[str, str]]:
            now = {**own, "seed": seed, "budget": "calls", "calls": calls}
            run = shown.live_run(now, schedules[name])
            levels = schedules[name].levels()
            shown.hierarchy.take(now, shown.n(now), levels, shown.table)
            return run, to_params(shown.linked(now))

        return replay

    def _board(self) -> None:
        title = f"{self.title} {self.benchmark.title} {self._name()}"
        with st.container(key="title", horizontal=True, vertical_alignment="bottom"):
            st.markdown(f"# {title}")
            st.markdown(self.claim)
            if self.state.amiss:
                st.warning(self.state.amiss, icon=":material/link_off:")
        if self.many is None:
            st.error(self.trouble, icon=":material/error:")
            return
        params = to_params(self.benchmark.linked(self.values))
        board(
            self.page,
            self.many.id,
            params,
            of=self.benchmark.page,
            hindered=self.trouble,
            address=None if self.values == self.state.opened else params,
            on_event=self._on_event,
        )

    def _name(self) -> str:
        """Return the name of the data; "…" if there are none."""
        try:
            return self.benchmark.data(self.values).name
        except (ValueError, TypeError):
            return "…"

    def _on_event(self) -> None:
        sent = board_event(self.page)
        name = sent.get("name", "")
        if name == "reloaded":
            self._reloaded(str(sent.get("run", "")))
        elif name == "started":
            self.tab.start(self.page)
        elif name == "again":
            self.state.asked = True
        elif name == "gone":
            self.tab.forget(self.page)
        else:
            self.heard(name)

    def _reloaded(self, many_id: str) -> None:
        """Show the runs that the tab had before a reload; report runs that have expired."""
        many, state = store.stay(many_id), self.state
        kept = getattr(many, "restores", None)
        if many is None or kept is None or kept.page != self.page:
            if self.many is not None and not self.many.active:  # these have expired: make new ones
                state.made, state.notice = None, EXPIRED.format(noun=self.many.noun)
            return
        self.benchmark = benchmark(kept.values["page"])
        if kept.own is not None:
            give_to_tab(self.benchmark.page, kept.own)
        state.values.update(kept.values)
        state.reconciled = dict(state.values)
        state.made, state.amiss = self._relevant(), ""
        self.tab.take(self.page, many, start=many.active)


EXPIRED = "The {noun} from before the reload has expired. Press Run to compute it again."


def page_control(label: str) -> Control:
    """Return the control that chooses the benchmark."""
    return Control(
        "page",
        "choice",
        label,
        PAGES[0],
        "The problem. Data, sub-sets and restarts are set as on the problem's page.",
        choices={page: benchmark(page).short for page in PAGES},
    )


#: The target of runs: a gap to the lowest known cost, or a cost if none is known.
TARGETS = (
    Control(
        "target",
        "real",
        "Target, %",
        0.001,
        "A run counts as solved, and ends, when its gap to the best known cost is at most this.",
        low=0.0,
        high=100.0,
    ),
    Control(
        "aim",
        "real",
        "Target cost",
        0.0,
        "A run ends when its cost is at most this. With 0, every run uses its whole budget. For "
        "these data no lowest cost is known.",
        low=-1e12,
        high=1e12,
    ),
)
