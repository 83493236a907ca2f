"""Turn a drawing into a run without waiting for a script run of the page."""

from __future__ import annotations

from threading import Lock

from prviz.player.live import LiveRun
from prviz.player.pictures.protocols import Drawing, Superseded
from prviz.ui.benchmark import Benchmark, Values
from prviz.ui.serve import session
from prviz.ui.state.page_state import PageState, Restored


class Strokes:
    """Makes the runs of drawings on a page of a tab, one at a time.

    A new run also updates the page's values. So when the player then asks Streamlit to rerun the
    script, the script keeps this run.

    Parameters
    ----------
    benchmark : Benchmark
    state : PageState
    tab : session.Tab
    """

    def __init__(self, benchmark: Benchmark, state: PageState, tab: session.Tab):
        self._benchmark, self.state, self._tab = benchmark, state, tab
        self._ids = session.ids_of_runs()
        self._making, self._counting = Lock(), Lock()
        self._latest = 0

    @classmethod
    def of(cls, benchmark: Benchmark, state: PageState, tab: session.Tab) -> Strokes:
        """Return the one object that all script runs of a page in a tab share."""
        known = tab.strokes.get(benchmark.page)
        if known is None or known.state is not state:
            known = tab.strokes[benchmark.page] = cls(benchmark, state, tab)
        return known

    def on(self, run: LiveRun, values: Values) -> None:
        """Let the user draw on a run if these values use drawn points."""
        drawn = self._benchmark.drawn(values)
        run.drawing = drawn and Drawing(*drawn, self.redraw)

    def redraw(self, text: str) -> LiveRun:
        """Start a run on points that the user drew, with all other values unchanged.

        Raises
        ------
        ValueError
            No search is possible; the message gives the reason.
        Superseded
            A newer drawing arrived while this drawing waited for its turn.
        """
        with self._counting:
            self._latest += 1
            number = self._latest
        with self._making:
            if number != self._latest:
                raise Superseded
            return self._new_run(text)

    def _new_run(self, text: str) -> LiveRun:
        state, benchmark = self.state, self._benchmark
        if not text:
            raise ValueError("Nothing drawn yet. Spray points into the picture.")
        values = {**(state.made or state.values), "drawn": text}
        if benchmark.drawn(values) is None:
            raise ValueError("This page no longer uses drawn points.")
        if former := self._tab.runs.get(benchmark.page):
            former.stop()  # frees a core
        run = benchmark.live_run(values)
        self.on(run, values)
        run.restores = Restored(benchmark.page, dict(values))
        state.values["drawn"] = state.reconciled["drawn"] = text
        state.made, state.autoplay, state.at = benchmark.relevant(values), True, {}
        state.notice, state.said = "", state.said._replace(moments=())
        self._tab.take(benchmark.page, run, start=True, ids=self._ids)
        return run
