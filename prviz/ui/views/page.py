"""The script of a benchmark page, which all problems share: controls, run, player and text.

:func:`show` runs the script of the page of a :class:`~prviz.ui.benchmark.Benchmark` once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from prviz.datasets import DataUnavailable
from prviz.player.export.keys import keys_of
from prviz.player.live import LiveRun
from prviz.player.recording import RecordedRun
from prviz.player.resources import store
from prviz.search.reference import LISTING
from prviz.shipped import shipped
from prviz.ui.benchmark import Benchmark, Values
from prviz.ui.own_data.data_input import OWN, data_of_tab, give_to_tab
from prviz.ui.sections.calculator import calculator
from prviz.ui.sections.choices import choices
from prviz.ui.sections.epsilon import Probed, probe_of_epsilon
from prviz.ui.sections.suggestion import Offer, suggestion
from prviz.ui.serve import session
from prviz.ui.serve.component import event_data, player
from prviz.ui.state import presenting
from prviz.ui.state.links import Link, not_quite_right, parse, read, to_params
from prviz.ui.state.page_state import PageState, Restored, received, send
from prviz.ui.views.strokes import Strokes
from prviz.ui.widgets.controls import Controls, changes

Words = Callable[[Values, Any], None]
#: Pages that can open with the settings of this page: label, help and icon of the button.
ELSEWHERE = {
    "race": (
        "Race this",
        "Compare these settings with full restarts, from many seeds",
        "sports_score",
    ),
    "tuning": ("Tune this", "Find the best settings, with many runs of each", "tune"),
}


def show(benchmark: Benchmark, words: Words) -> None:
    """Run the script of a benchmark's page once.

    Parameters
    ----------
    benchmark : Benchmark
    words : function of values and the data
        Draw the content below the player, except Algorithm 1.
    """
    _Page(benchmark, words).show()


class _Page:
    """One script run of a benchmark's page; persistent state is in ``state``."""

    def __init__(self, benchmark: Benchmark, words: Words) -> None:
        self.benchmark, self._write = benchmark, words
        self._state = PageState.of(benchmark.page)
        if sent := received(benchmark.page):
            self._take(*sent[1:])
        self.tab = session.tab()
        self.refused = ""  # the error, if no run could be made with the values

    def _take(self, values: Values, said: str) -> None:
        """Use the values that another page has sent, unless their data are missing."""
        if self._state is None:
            self._state = PageState.begin(self.benchmark.page, self.benchmark.defaults)
        try:
            self.benchmark.data({**self.state.values, **values})
        except DataUnavailable as error:
            self.state.opened, self.state.amiss = None, str(error)
            return
        except ValueError:
            pass  # the data input shows the error
        self.state.values.update(values)
        # the values are complete, so reconcile() must not add the defaults of the new data
        self.state.reconciled = dict(self.state.values)
        self.state.opened, self.state.amiss = None, said

    @property
    def state(self) -> PageState:
        """Return the state of the page in this tab; the page must be open."""
        assert self._state is not None
        return self._state

    @property
    def values(self) -> Values:
        return self.state.values

    @property
    def run(self) -> LiveRun | None:
        return self.tab.run(self.benchmark.page)

    def show(self) -> None:
        trouble, link = self._settled()
        self._schedule()
        trouble = self._run(link) or trouble
        self._theatre()  # before the controls, because the user waits for the player after a change
        with st.sidebar, st.container(key="controls"):
            self._controls(trouble)
        self._redraws()
        self._words()
        self._tell_late()

    # The values

    def _settled(self) -> tuple[str, Link | None]:
        """Make the values consistent; return an error, and the link if the page is new."""
        if self._state is None:
            return self._opened()
        values, former = self.values, self.state.reconciled
        if values != former:
            self.state.amiss = ""
        fixed = self.state.fixed
        values.update(fixed)
        trouble = self.benchmark.reconcile(values, former, set(fixed))
        values.update(fixed)
        self.benchmark.fit(values)
        self.state.reconciled = dict(values)
        return trouble, None

    def _schedule(self) -> None:
        """Make the schedule once per script run, or store the error of its levels."""
        self.schedule, self.broken = None, ""
        try:
            self.schedule = self.benchmark.schedule(self.values)
        except ValueError as error:
            self.broken = str(error)

    def _opened(self) -> tuple[str, Link]:
        """Read the link when a tab first opens the page; store its errors for a message."""
        benchmark = self.benchmark
        link = parse(st.query_params, benchmark.table, presenting.NAMES)
        said, problems = presenting.parse(st.query_params, benchmark.table)
        values, problems = link.values, link.problems + problems
        trouble = benchmark.reconcile(values, None, set(st.query_params))
        problems += benchmark.fit(values)
        try:
            benchmark.schedule(values)
        except ValueError as error:
            problems.append(f"its levels are invalid: {str(error).rstrip('.')}")
            benchmark.hierarchy.reset(values, benchmark.n(values), benchmark.defaults)
        self._state = PageState.begin(benchmark.page, values)
        self.state.amiss = not_quite_right(problems)
        self.state.said, self.state.fixed = said, said.fixed(values)
        return trouble, link

    # The sidebar

    def _controls(self, trouble: str) -> None:
        benchmark, values = self.benchmark, self.values
        controls = Controls(benchmark.page, benchmark.marked(values), values, self.state.said.held)
        n = benchmark.n(values)
        benchmark.choose(controls)
        self._suggestion()
        self._presets()
        benchmark.hierarchy.draw(controls, n, benchmark.without_effect(values))
        controls.amount("budget")
        controls.seed("seed")
        self._buttons(trouble)
        self._folded(controls, n)
        if self.state.made:
            benchmark.compare(self.state.made)
        if self.state.fixed:
            st.caption(f":material/lock: {HELD}")

    def _suggestion(self) -> None:
        """Suggest k₁ and M₁ for the user's own data, with the cost of a run."""
        benchmark, made = self.benchmark, self.state.made
        if made is None or not benchmark.own(made) or benchmark.wrong(self.values):
            return
        n = benchmark.n(made)

        def cost(k: int, m: int) -> str:
            tried = dict(made)
            benchmark.hierarchy.adopt(tried, n, k, m, benchmark.table)
            return benchmark.hierarchy.cost(tried, n, self._rate())

        about = Probed(benchmark.page, self._adopt, benchmark.usual(made))
        suggestion(about, Offer(cost, lambda: self._go("tuning")))
        self._tables()

    def _tables(self) -> None:
        """Draw download buttons for the tables of the best configuration so far."""
        run, key = self.run, f"{self.benchmark.page}-best"
        if run is None or not run.kernels_ready():
            return
        with st.container(key=f"{key}-row", horizontal=True, gap="small"):
            for name, label in run.layout()["tables"].items():
                st.download_button(
                    label,
                    partial(_best_csv, run.id, name),  # evaluated when the button is pressed
                    f"prviz-{name}.csv",
                    "text/csv",
                    key=f"{key}-{name}",
                    icon=":material/download:",
                    help="The best configuration so far, as CSV",
                    on_click="ignore",
                )

    def _folded(self, controls: Controls, n: int) -> None:
        """Draw the expander, unless the link hides everything in it."""
        benchmark, before = self.benchmark, controls.drawn
        place = st.empty() if controls.held.hidden else None
        with nullcontext() if place is None else place.container():
            key = f"{benchmark.page}-folded"
            folded = st.expander(benchmark.folded, icon=":material/tune:", key=key)
            with folded:
                benchmark.refine(controls)
                benchmark.hierarchy.more(controls, n)
        if place is not None and controls.drawn == before:
            place.empty()

    def _presets(self) -> None:
        found, key = self.benchmark.offered(self.values), f"{self.benchmark.page}-preset"
        fixed = self.state.fixed
        presets = {name: each for name, each in found.items() if presenting.agrees(each, fixed)}
        if not presets:
            return
        chosen = self.benchmark.preset_of(self.values)
        if st.session_state.get(key) != chosen:
            st.session_state[key] = chosen
        st.pills(
            "Preset",
            list(presets),
            key=key,
            on_change=lambda: self.values.update(presets.get(st.session_state[key], {})),
            label_visibility="collapsed",
            help=self.benchmark.presets_help,
        )

    def _buttons(self, trouble: str) -> None:
        self._timed()
        hindrance = self._hindrance()
        with st.container(key=f"{self.benchmark.page}-buttons-row", horizontal=True, gap="small"):
            st.button(
                "Reset",
                icon=":material/restart_alt:",
                help=self.benchmark.reset_help,
                on_click=self._reset,
            )
            for name, (label, told, icon) in ELSEWHERE.items():
                if st.button(label, help=told, icon=f":material/{icon}:"):
                    self._go(name)
        trouble = hindrance or trouble
        if trouble and trouble != self.benchmark.wrong(self.values):
            st.error(trouble, icon=":material/error:")
        with st.container(key=f"{self.benchmark.page}-cost"):
            self.cost = st.empty()
        with self.cost:
            self._tell_cost()

    def _go(self, name: str) -> None:
        """Open another page with the settings of this page."""
        send(name, self.benchmark.page, self.values)
        st.switch_page(shipped("pages", f"{name}.py"))

    def _tell_cost(self) -> None:
        """Show the expected time of a run."""
        benchmark, values = self.benchmark, self.values
        st.caption(benchmark.hierarchy.cost(values, benchmark.n(values), self._rate()))

    def _timed(self) -> bool:
        """Return True if the page needs no measured speed, or the speed is known."""
        if not self.benchmark.timed or self.run is None:
            return True
        made = self.run.head()["calls"]  # before the first call, the kernels may not be loaded
        return made > 0 and session.note_pace(
            self.run, self.benchmark.work_of(self.state.made or {})
        )

    def _tell_late(self) -> None:
        """Show the expected time of a run whose first call came after the page was drawn."""
        if not self._timed() and self.run is not None and self.run.kernels_ready():
            self.run.opening()
            if self._timed():
                with self.cost:
                    self._tell_cost()

    def _reset(self) -> None:
        values, benchmark = self.values, self.benchmark
        first = {k: v for k, v in benchmark.defaults.items() if k not in benchmark.lasting}
        values.update(first)
        benchmark.hierarchy.reset(values, benchmark.n(values), benchmark.defaults)

    def _ask(self) -> None:
        self.state.asked = True

    def _hindrance(self) -> str:
        """Return the reason why no run can start with these values, or ""."""
        if self.schedule is None:
            return self.broken
        return self.refused or self.benchmark.hierarchy.too_long(self.schedule, self._rate())

    def _rate(self) -> float | None:
        """Return calls per second of earlier runs here; None if unknown."""
        return session.rate(self.benchmark.work_of(self.values))

    # The run and its player

    def _run(self, link: Link | None) -> str:
        """Make a new run if needed; return the error if that is impossible."""
        state, benchmark = self.state, self.benchmark
        asked, state.asked = state.asked, False
        former, wanted = state.made, benchmark.relevant(self.values)
        if self.run is not None:
            session.note_rate(self.run, benchmark.work_of(former or {}))
            if wanted == former and not asked:
                return ""
        if hindrance := self._hindrance():
            return hindrance
        try:
            run = benchmark.live_run(self.values, self.schedule)
        except (ValueError, TypeError, MemoryError, DataUnavailable) as error:
            self.refused = str(error) or "Not enough memory. Choose smaller values."
            if self.run is None:  # show a run with the default values instead
                wanted = benchmark.relevant(benchmark.defaults)
                state.made = wanted
                self.tab.take(benchmark.page, benchmark.live_run(wanted), start=False)
            return self.refused
        if benchmark.timed and former and run.kernels_ready():
            session.note_pace(run, benchmark.work_of(self.values))
            if hindrance := self._hindrance():
                run.close()
                return hindrance
        page = benchmark.page
        run.restores = Restored(page, dict(self.values), data_of_tab(page))
        said = self._changes(former, wanted) if former else ""
        go = asked or former not in (None, wanted)  # the first run waits until Run is pressed
        state.made, state.autoplay, state.at = wanted, go, link.at if link else {}
        if not link and former != wanted:  # the bookmarks belong to the former run
            state.said = state.said._replace(moments=())
        state.notice = f"{said}: new run" if said else ""
        self._strokes(run)
        self.tab.take(benchmark.page, run, start=go or bool(state.at or state.said.moments))
        return ""

    def _strokes(self, run: LiveRun) -> None:
        """Enable drawing if the user drew the points of the run."""
        Strokes.of(self.benchmark, self.state, self.tab).on(run, self.state.made or self.values)

    def _changes(self, former: Values, wanted: Values) -> str:
        """Return a message about the changed values that affect both the old and the new run."""
        benchmark = self.benchmark
        unused = benchmark.unused(former) | benchmark.unused(wanted)
        return changes(former, wanted, [c for c in benchmark.table if c.name not in unused])

    def _theatre(self) -> None:
        benchmark, state = self.benchmark, self.state
        waiting = self.run is not None and not self.run.kernels_ready()
        preview = self._preview(waiting)
        missing = self._missing()
        name = "your own data" if missing else benchmark.data(state.made or self.values).name
        title = f"{benchmark.title} {name}"
        with st.container(key="title", horizontal=True, vertical_alignment="bottom"):
            st.markdown(f"# {preview.layout()['title'] if waiting and preview else title}")
            st.markdown(benchmark.claim)
            if state.amiss:
                st.warning(state.amiss, icon=":material/link_off:")
        if self.run is None:
            return
        self.run.references = benchmark.references(state.made or {})
        self._strokes(self.run)
        if waiting:
            session.wait_for_kernels(benchmark.page, state)
        player(
            preview.id if preview else self.run.id,
            {**self._linked(), **state.at},
            page=benchmark.page,
            autoplay=state.autoplay,
            notice=state.notice,
            beside=", ".join(known.label for known in self.run.references),
            hindered=self._hindrance(),
            missing=missing,
            live=None if preview is None else "" if waiting else self.run.id,
            view=state.said.view,
            lines=benchmark.lines,
            address=self._address(),
            held=state.said.params,
            moments=state.said.marked,
            controls=[
                (c.name, c.label)
                for c in presenting.offered(benchmark.table, benchmark.idle(self.values))
            ],
            on_event=self._handle_event,
        )

    def _missing(self) -> str:
        """Return why the chosen own data are not shown; "" if shown, or if none are chosen."""
        made = self.state.made or {}
        if self.values.get("data") != OWN or made.get("data") == OWN:
            return ""
        return self.benchmark.wrong(self.values)

    def _preview(self, waiting: bool) -> RecordedRun | None:
        """Return a recorded search, until the page has a live one."""
        benchmark, state = self.benchmark, self.state
        if waiting:
            return session.recorded(benchmark.page)
        usual = state.made == benchmark.relevant(benchmark.defaults)
        linked = bool(state.at or state.said.moments)
        if self.run is None or self.run.state != "ready" or not usual or linked:
            return None
        return session.recorded(benchmark.page, "preview", PREVIEW)

    def _linked(self) -> dict[str, str]:
        """Return the query of a link to the run."""
        return to_params(self.benchmark.linked(self._shown()))

    def _shown(self) -> Values:
        """Return the controls' values or, if these are rejected, the run's values."""
        made = self.state.made
        return made if made and made != self.benchmark.relevant(self.values) else self.values

    def _address(self) -> dict[str, str] | None:
        """Return the page's query, or None while the values equal the opened link's."""
        if self.values == self.state.opened:
            return None
        self.state.opened = None
        return {**self._linked(), **self.state.said.params}

    def _handle_event(self) -> None:
        sent, run = event_data(self.benchmark.page), self.run
        event = sent.get("name")
        if event == "reloaded":
            self._reloaded(str(sent.get("run", "")), str(sent.get("drawn") or ""))
        elif event == "run" and not self._hindrance():
            if run:
                self.state.autoplay = True
                self.tab.start(self.benchmark.page)
            if run and run.state in ("stopped", "failed"):  # the run was not resumed
                self._ask()
        elif event == "gone":  # prepare a new run without starting it
            self.tab.forget(self.benchmark.page)

    def _reloaded(self, run_id: str, drawn: str) -> None:
        """Restore the run that the tab had before a reload, or else only its drawing."""
        benchmark, state, run = self.benchmark, self.state, store.stay(run_id)
        kept = None if run is None or run.followed else getattr(run, "restores", None)
        if run is None or kept is None or kept.page != benchmark.page:
            self._redrawn(drawn)
            return
        if kept.own is not None:
            give_to_tab(kept.page, kept.own)
        state.values.update(kept.values)
        state.reconciled = dict(state.values)
        state.made, state.amiss, state.at = benchmark.relevant(state.values), "", {}
        state.autoplay, state.notice = run.active, ""
        self.tab.take(kept.page, run, start=run.active)

    def _redrawn(self, drawn: str) -> None:
        """Restore the drawing from before a reload; without a drawing, show ``EXPIRED``."""
        state = self.state
        drawable = [control for control in self.benchmark.table if control.name == "drawn"]
        try:
            if drawn and drawable:
                state.values["drawn"] = read(drawn, drawable[0])
                state.amiss = ""
                return
        except ValueError:
            pass  # the browser's storage contained no drawing
        state.notice = EXPIRED

    def _redraws(self) -> None:
        """Draw expanders: the search's choices, calculator of M, probe of ε, and the page's own."""
        benchmark = self.benchmark
        with st.container(key="redraws"):
            choices(benchmark.page)
            calculator(benchmark.page)
            if self.run is not None:
                usual = benchmark.usual(self.state.made or self.values)
                probe_of_epsilon(benchmark.page, self._adopt, usual)
                benchmark.sections(
                    lambda wanted, said: self._adopted({**self.values, **wanted}, said)
                )

    def _adopt(self, k: int, m: int) -> str:
        """Set the page's sliders to k and M of a probe; return a message."""
        benchmark, tried = self.benchmark, dict(self.values)
        said = benchmark.hierarchy.adopt(tried, benchmark.n(tried), k, m, benchmark.table)
        return self._adopted(tried, said)

    def _adopted(self, tried: Values, said: str) -> str:
        """Set these values unless they change a locked value; return a message."""
        fixed = self.state.fixed
        if not presenting.agrees(tried, fixed):
            changed = {name for name in fixed if fixed[name] != tried[name]}
            return (
                f"Nothing is changed: {presenting.named(self.benchmark.table, changed)} is locked."
            )
        self.values.update(tried)
        return said

    def _words(self) -> None:
        made = self.state.made or self.values
        with st.container(key="words"):
            self._write(made, self.benchmark.data(made))
            keys()


def _best_csv(run_id: str, name: str) -> str:
    """Return a table of a run's best configuration as CSV.

    The argument is an id, because Streamlit would keep the run itself after it has expired.
    """
    run = store.RUNS.get(run_id)
    return run.best_csv(name) if run else "this run has expired. Reload the page\n"


def algorithm(variables: str, optimiser: str) -> None:
    """Write Algorithm 1 and how to read it, with the names of a problem."""
    st.markdown("## Algorithm 1")
    st.html(listing())
    reading = READING.format(variables=variables, optimiser=optimiser)
    st.markdown(lowered(reading), unsafe_allow_html=True)


def listing() -> str:
    """Return Algorithm 1 as HTML."""
    lines = "".join(map(_line, LISTING))
    return f'<ol class="listing" aria-label="Algorithm 1">{lines}</ol>'


def _line(line: str) -> str:
    """Return a line of the listing as HTML, indented like its leading spaces."""
    words = line.lstrip()
    depth = 0.5 * (len(line) - len(words))
    return f'<li style="--depth: {depth:g}em">{lowered(escape(words))}</li>'


def lowered(words: str) -> str:
    """Return text with HTML subscripts, because few fonts have a visible ₗ."""
    return words.replace("ₗ", "<sub>l</sub>")


def keys(compact: bool = False) -> None:
    """Write the keyboard shortcuts of the player."""
    told = "; ".join(f"**{key.shown}**: {key.does}" for key in keys_of(compact))
    st.markdown(f"## Keys\n{told}.{'' if compact else LANES}")


EXPIRED = "The run from before the reload has expired. Press Run to compute it again."
PREVIEW = "Recorded preview: Play shows it in about 25 s. Press Run for a live search."

HELD = "The link that opened this page locks or hides some controls, and sets their values."

LANES = """

The height of a lane in the timeline shows the share of calls that were kept, reverted, or started a
restart. Dots are new best costs. The shaded band is the current restart.
"""

READING = """
kₗ and Mₗ have the meaning of the paper's text: on level l, kₗ {variables} are redrawn Mₗ times for
every redraw on the level above. In the listing, this number is the M of the next higher level;
`prviz/search/reference.py` repeats the listing word for word, with the mapping. The top level
redraws all N {variables}, and its checkpoint is the best configuration so far. Right after a
restart {optimiser} has not run on the checkpoint yet, so the first attempt is nearly always kept.
"""

PAPER = (
    "Method: I. Zintchenko, M. Hastings, N. Wiebe, E. Brown, M. Troyer, *Partial Reinitialisation "
    "for Optimisers*, 2016."
)
