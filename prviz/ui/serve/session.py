"""What a tab keeps on the server: a run a page, and plain values that outlive edited modules.

A tab that closes, or loses its connection, holds its engine up at once. Its run is held a little
longer, so that a tab that comes back finds what was found; its player lets the search go on.
"""

from __future__ import annotations

import time
from threading import Lock, Thread
from typing import Any

import streamlit as st

from prviz.player.batch.job import Job
from prviz.player.batch.many import Many
from prviz.player.live import LiveRun
from prviz.player.recording import RecordedRun
from prviz.player.resources import store
from prviz.shipped import shipped
from prviz.ui.widgets import compiling

GRACE = 120.0  # seconds; Streamlit, too, keeps the values of a lost tab about that long
OVERLAP = 10.0  # and a run that another took the place of, as the browser may still ask for it
MOST_REPLACED = 16  # of a tab that are still held
MOST_KEPT = 4  # results of a page that the tab keeps for when its settings come back
RECORDED = shipped("assets", "recorded")
COMPILING = (
    "Showing a recorded run while the kernels compile. This happens once per version and "
    "takes one to two minutes."
)
FIRST = "recorded"  # of the ids of recordings: the others share what was read
HEAD_START = 0.06  # of a first frame before the redraw by Streamlit
OPENING_SECONDS = 0.3  # a script run doesn't wait longer for the first call of a large problem


class Tab:
    """The place of one tab: a run for each of its pages, of which at most one is started.

    Attributes
    ----------
    runs : dict
        By page: a LiveRun, or the Many of a page of many runs.
    probes : dict
        By page, and what is beside a probe of ε by page and name, apart by a slash; they go on
        while their page is the one that is worked with.
    strokes : dict
        By page, what makes runs of what is drawn.
    kept : dict
        By page of many runs, results of earlier settings: (settings, Many), the latest last.
    """

    def __init__(self) -> None:
        self.runs: dict[str, Any] = {}
        self.probes: dict[str, Job] = {}
        self.strokes: dict[str, Any] = {}
        self.kept: dict[str, list[tuple[Any, Many]]] = {}
        self._replaced: list[str] = []  # ids, the oldest first
        self._lock = Lock()
        self._left = False  # a script run may end after its tab has gone

    def run(self, page: str) -> LiveRun | None:
        """The run of a benchmark's page, also after the tab had lost its connection for a while."""
        return self.held(page)

    def held(self, page: str) -> Any:
        """The run of a page, or its many runs; None if there are none."""
        if self._left:
            return store.RUNS.get(ids_of_runs().get(page, ""))
        if page not in self.runs and (run := store.stay(ids_of_runs().get(page, ""))):
            self._hold(page, run)
        return self.runs.get(page)

    def take(
        self, page: str, run: LiveRun | Many, start: bool, ids: dict[str, str] | None = None
    ) -> None:
        """Hold this run for a page in place of the one before; whoever watches that one is told.

        Where no script runs, what `ids_of_runs` returned in one has to be given.
        """
        known = ids_of_runs() if ids is None else ids
        known[page] = run.id  # first, as Streamlit may end a script run here
        former = self._hold(page, run)
        if former is not None:
            former.stop()
        if run.kernels_ready():  # nearly always done before others compete with it
            opener = Thread(target=run.opening, daemon=True)
            opener.start()
            opener.join(OPENING_SECONDS)
        if start:
            self.start(page)
        if former is not None and not self._is_kept(page, former):
            awaited = former.follow(run)
            store.leave(former, OVERLAP)
            self._replaced.append(former.id)
            if len(self._replaced) > MOST_REPLACED:
                store.drop(self._replaced.pop(0))
            if awaited:
                time.sleep(HEAD_START)

    def keep(self, page: str, settings: Any, many: Many) -> None:
        """Keep a result of these settings, in place of an earlier one of the same."""
        others = [each for each in self.kept.get(page, []) if each[0] != settings]
        self.kept[page] = [*others, (settings, many)][-MOST_KEPT:]

    def find_kept(self, page: str, settings: Any) -> Many | None:
        """Return the result that the tab keeps of these settings, if any."""
        return next((many for at, many in self.kept.get(page, []) if at == settings), None)

    def _is_kept(self, page: str, run: Any) -> bool:
        return any(many is run for _, many in self.kept.get(page, []))

    def start(self, page: str) -> None:
        """Start the run of a page; those of other pages stop, and keep what they found."""
        for other, run in list(self.runs.items()):
            if other != page and run.active:
                run.stop()
        self.stop_probes(page)
        if run := self.runs.get(page):  # the tab may have gone meanwhile
            run.start()

    def forget(self, page: str) -> None:
        """Hold the run of a page no more; its browser may still ask for it for a moment."""
        ids_of_runs().pop(page, None)
        if run := self.runs.pop(page, None):
            store.leave(run, OVERLAP)

    def probe(self, page: str, probing: Job) -> None:
        """Hold this probe for a page in place of the one before; others stop."""
        self.stop_probes()
        self.probes[page] = probing
        if self._left:
            self.leave()

    def drop_probe(self, page: str) -> None:
        """The probe of a page is of no use any more."""
        if probing := self.probes.pop(page, None):
            probing.stop()

    def stop_probes(self, page: str = "") -> None:
        """Stop the probes of all pages but this one."""
        for other, probing in self.probes.items():
            if other.partition("/")[0] != page:
                probing.stop()

    def leave(self) -> None:
        """The tab is gone; Streamlit keeps this place for a while, and so it holds nothing."""
        with self._lock:
            self._left = True
            runs, self.runs = self.runs, {}
        self.stop_probes()
        self.probes, self.strokes, self.kept = {}, {}, {}
        for run in runs.values():
            store.leave(run, GRACE)

    def _hold(self, page: str, run: LiveRun | Many) -> Any:
        """Put a run in place of a page's former one, which is returned."""
        with self._lock:
            former = self.runs.pop(page, None)
            if not self._left:
                self.runs[page] = run
        if self._left:
            store.leave(run, GRACE)
        return former


@st.cache_resource(scope="session", on_release=Tab.leave, show_spinner=False)
def tab() -> Tab:
    """The place of this tab."""
    return Tab()


def ids_of_runs() -> dict[str, str]:
    """Page → id of its run, which outlives the place of a tab that was lost."""
    return st.session_state.setdefault("runs", {})


@st.cache_resource(show_spinner=False)
def recorded(name: str, where: str = FIRST, says: str = COMPILING) -> RecordedRun | None:
    """The shipped recording of a page, if it has one, to be seen while kernels compile.

    Where it is shown for another reason, that says something else of it.
    """
    if not (path := RECORDED / f"{name}.npz").exists():
        return None
    if where != FIRST:
        first = recorded(name)
        return first and first.under(f"{where}-{name}", says)
    return RecordedRun(path, f"{where}-{name}", says)


@st.fragment(run_every=1.0)
def wait_for_kernels(page: str, state: Any) -> None:
    """A recorded run is shown; the live one takes its place as soon as it can, and it is said."""
    run = tab().run(page)  # Streamlit keeps what a fragment is given, also when the tab has gone
    if run is None or run.kernels_ready():
        state.notice = "The kernels are ready. This is a live run."
        st.rerun()
    compiling.tell(run.problem_id)


# How fast runs were in this process, for "what it will cost"

TELLING_CALLS, SLOW = 20, 0.25  # calls that tell of a pace, or so many seconds of search
MOST_RATES = 1000  # that are remembered, the latest
_rates: dict[Any, float] = {}


def note_rate(run: LiveRun, of: Any) -> None:
    """Remember the calls a second of a run, under what it worked on."""
    head = run.head()
    enough = head["calls"] >= TELLING_CALLS or (head["calls"] and head["seconds"] >= SLOW)
    if enough and head["seconds"] > 0:
        _remember_rate(of, head["calls"] / head["seconds"])


def note_pace(run: LiveRun, of: Any) -> bool:
    """Time a run for a moment, under what it works on, where no run has told yet; whether known."""
    if of not in _rates and (pace := run.pace()):
        _remember_rate(of, pace)
    return of in _rates


def _remember_rate(of: Any, pace: float) -> None:
    _rates.pop(of, None)
    _rates[of] = pace
    for earliest in list(_rates)[:-MOST_RATES]:
        _rates.pop(earliest, None)


def rate(of: Any) -> float | None:
    """Calls a second, measured earlier; None before the first run."""
    return _rates.get(of)
