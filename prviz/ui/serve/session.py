"""The state of a tab on the server: one run per page, and plain values.

When a tab closes or loses its connection, its run pauses at once. The server keeps the run a little
longer. If the tab comes back, it finds the results, and its player resumes the search.
"""

from __future__ import annotations

import time
from threading import Lock, Thread
from typing import Any

import streamlit as st

from prviz import warm
from prviz.player.batch.job import Job
from prviz.player.batch.many import Many
from prviz.player.live import LiveRun
from prviz.player.recording import RecordedRun
from prviz.player.resources import store
from prviz.shipped import shipped
from prviz.ui.widgets import compiling

GRACE = 120.0  # seconds to keep a closed tab's runs; Streamlit keeps its values for the same time
OVERLAP = 10.0  # seconds to keep a replaced run, because the browser may still request it
MOST_REPLACED = 16  # replaced runs kept per tab
MOST_KEPT = 4  # results kept per page for earlier settings
RECORDED = shipped("assets", "recorded")
COMPILING = (
    "Showing a recorded run while the kernels compile. This happens once per version and "
    "takes one to two minutes."
)
FIRST = "recorded"  # prefix of a recording's id; a copy has another prefix, and the same data
HEAD_START = 0.06  # seconds to wait, so that the first frame arrives before Streamlit's redraw
OPENING_SECONDS = 0.3  # longest wait of a script run for the first call of a large problem


class Tab:
    """The runs of one tab: one per page; at most one of them is running.

    Attributes
    ----------
    runs : dict
        The run of each page: a LiveRun, or the Many of Race or Tuning.
    probes : dict
        Probes by page (or page/name); they continue while their page is in use.
    strokes : dict
        For each page, the object that starts a run when the user draws points.
    kept : dict
        Earlier results of Race and Tuning, by page: (settings, Many), the latest last.
    """

    def __init__(self) -> None:
        self.runs: dict[str, Any] = {}
        self.probes: dict[str, Job] = {}
        self.strokes: dict[str, Any] = {}
        self.kept: dict[str, list[tuple[Any, Many]]] = {}
        self._replaced: list[str] = []  # ids of runs, the oldest first
        self._lock = Lock()
        self._left = False  # a script run may end after its tab has closed

    def run(self, page: str) -> LiveRun | None:
        """Return the run of a benchmark's page, also after a lost connection."""
        return self.held(page)

    def held(self, page: str) -> Any:
        """Return the run of a page, or its many runs; None if there are none."""
        if self._left:
            return store.RUNS.get(ids_of_runs().get(page, ""))
        if page not in self.runs and (run := store.stay(ids_of_runs().get(page, ""))):
            self._hold(page, run)
        return self.runs.get(page)

    def take(
        self, page: str, run: LiveRun | Many, start: bool, ids: dict[str, str] | None = None
    ) -> None:
        """Set the run of a page, and notify viewers of the previous run.

        Outside a script run, pass the result of `ids_of_runs`.
        """
        known = ids_of_runs() if ids is None else ids
        known[page] = run.id  # comes first, because Streamlit may end the script run below
        former = self._hold(page, run)
        if former is not None:
            former.stop()
        if run.kernels_ready():  # wait for the first call, but not long
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
        """Store a result of these settings, in place of their earlier result."""
        others = [each for each in self.kept.get(page, []) if each[0] != settings]
        self.kept[page] = [*others, (settings, many)][-MOST_KEPT:]

    def find_kept(self, page: str, settings: Any) -> Many | None:
        """Return the stored result of these settings, if any."""
        return next((many for at, many in self.kept.get(page, []) if at == settings), None)

    def _is_kept(self, page: str, run: Any) -> bool:
        return any(many is run for _, many in self.kept.get(page, []))

    def start(self, page: str) -> None:
        """Start the run of a page; runs of other pages stop and keep their results."""
        for other, run in list(self.runs.items()):
            if other != page and run.active:
                run.stop()
        self.stop_probes(page)
        if run := self.runs.get(page):  # the tab may have closed in the meantime
            run.start()

    def forget(self, page: str) -> None:
        """Drop the run of a page after a few seconds, because the browser may still request it."""
        ids_of_runs().pop(page, None)
        if run := self.runs.pop(page, None):
            store.leave(run, OVERLAP)

    def probe(self, page: str, probing: Job) -> None:
        """Set the probe of a page; other probes stop."""
        self.stop_probes()
        self.probes[page] = probing
        if self._left:
            self.leave()

    def drop_probe(self, page: str) -> None:
        """Drop the probe of a page."""
        if probing := self.probes.pop(page, None):
            probing.stop()

    def stop_probes(self, page: str = "") -> None:
        """Stop the probes of all other pages."""
        for other, probing in self.probes.items():
            if other.partition("/")[0] != page:
                probing.stop()

    def leave(self) -> None:
        """Drop everything when the tab closes, because Streamlit keeps this object for a while."""
        with self._lock:
            self._left = True
            runs, self.runs = self.runs, {}
        self.stop_probes()
        self.probes, self.strokes, self.kept = {}, {}, {}
        for run in runs.values():
            store.leave(run, GRACE)

    def _hold(self, page: str, run: LiveRun | Many) -> Any:
        """Replace the run of a page; return the former run."""
        with self._lock:
            former = self.runs.pop(page, None)
            if not self._left:
                self.runs[page] = run
        if self._left:
            store.leave(run, GRACE)
        return former


@st.cache_resource(scope="session", on_release=Tab.leave, show_spinner=False)
def tab() -> Tab:
    """Return the state of this tab."""
    return Tab()


def ids_of_runs() -> dict[str, str]:
    """Return the run's id for each page; the ids survive a lost connection."""
    return st.session_state.setdefault("runs", {})


@st.cache_resource(show_spinner=False)
def recorded(name: str, where: str = FIRST, says: str = COMPILING) -> RecordedRun | None:
    """Return the shipped recording of a page, or None.

    ``says`` is the sentence that the player shows with it.
    """
    if not (path := RECORDED / f"{name}.npz").exists():
        return None
    if where != FIRST:
        first = recorded(name)
        return first and first.under(f"{where}-{name}", says)
    return RecordedRun(path, f"{where}-{name}", says)


@st.fragment(run_every=1.0)
def wait_for_kernels(page: str, state: Any) -> None:
    """Replace a recording by the live run as soon as possible, with a notice."""
    # The run is not an argument, because Streamlit keeps a fragment's old arguments.
    run = tab().run(page)
    if run is None or run.kernels_ready():
        state.notice = "The kernels are ready. This is a live run."
        st.rerun()
    compiling.tell(warm.name_of(run.problem))


# Calls per second of runs in this process, to estimate times

TELLING_CALLS, SLOW = 20, 0.25  # enough calls, or enough seconds, for an estimate
MOST_RATES = 1000  # number of stored rates; the oldest are dropped
_rates: dict[Any, float] = {}


def note_rate(run: LiveRun, of: Any) -> None:
    """Store the calls per second of a run; ``of`` is everything that determines its speed."""
    head = run.head()
    enough = head["calls"] >= TELLING_CALLS or (head["calls"] and head["seconds"] >= SLOW)
    if enough and head["seconds"] > 0:
        _remember_rate(of, head["calls"] / head["seconds"])


def note_pace(run: LiveRun, of: Any) -> bool:
    """Measure a run's speed briefly if it is unknown; return True if it is then known."""
    if of not in _rates and (pace := run.pace()):
        _remember_rate(of, pace)
    return of in _rates


def _remember_rate(of: Any, pace: float) -> None:
    _rates.pop(of, None)
    _rates[of] = pace
    for earliest in list(_rates)[:-MOST_RATES]:
        _rates.pop(earliest, None)


def rate(of: Any) -> float | None:
    """Return the calls per second of an earlier run, or None."""
    return _rates.get(of)
