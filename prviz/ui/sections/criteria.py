"""How many clusters? The four criteria of ``prviz.choose_k``, on demand."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from prviz.choose_k import CALLS, LARGEST, REFERENCES, SEEDS, KChoice, rows, sample, sizes
from prviz.player.batch.job import Job
from prviz.player.live import LiveRun
from prviz.player.resources import places
from prviz.ui.sections.elbow import About, Adopt, buttons, choose, section
from prviz.ui.serve.chart import chart
from prviz.ui.widgets.formatting import digits


class Criteria(Job):
    """The criteria for the points of a run.

    Attributes
    ----------
    found : KChoice
        Results so far.
    ks : list of int
        The values of k to try.
    """

    what = "The criteria"

    def __init__(self, run: LiveRun):
        self.points, self.seed = run.problem.points, run.seed
        self.weighted = len(run.problem.weights) > 0
        self.ks: list[int] = []
        self._searched = self.points[sample(*self.points.shape)]
        self.found = KChoice([], len(self.points), len(self._searched))
        super().__init__(run)

    @property
    def done(self) -> float:
        """Return the completed fraction."""
        return len(self.found.rows) / len(self.ks) if self.ks else 0.0

    def fits(self, run: LiveRun) -> bool:
        """Return True if the criteria are for the points of this run."""
        points = run.problem.points
        return points is self.points or np.array_equal(points, self.points)

    def compute(self, run: Any) -> None:
        """Compute the criteria of one k after another."""
        self.state = "running"
        places.behind()
        self.ks = sizes(None, self._searched)
        try:
            for row in rows(self._searched, self.ks, seed=self.seed, stop=self._stop.is_set):
                self.found.rows.append(row)
        except KeyboardInterrupt:
            return


def criteria(page: str, adopt: Adopt) -> None:
    """Draw the section with the criteria of a page that has a run."""
    section(About(page, adopt, "criteria"), "How many clusters? Four criteria", "rule", _opened)


def _opened(about: About, run: LiveRun, job: Criteria | None) -> None:
    st.markdown(WORDS)
    active = buttons(about, job, "Compare criteria", "rule", lambda: begin(run))
    if job is None:
        return
    if active:
        waiting = job.state == "waiting" or not job.ks
        words = f"Done: {len(job.found.rows)} of {len(job.ks)} values of k"
        if waiting:
            words = "Waiting for the kernels, or for another search."
        st.progress(job.done, words)
    elif job.trouble:
        st.error(job.trouble, icon=":material/error:")
    if len(job.found.rows) > active:  # while a job runs, wait for a second value of k
        _found(about, run, job)


def _found(about: About, run: LiveRun, job: Criteria) -> None:
    """Draw the criteria, their suggestions, and a choice of k."""
    found = job.found
    if not job.active:
        st.markdown(found.words)
    suggestions = "; ".join(f"{name}: {k or 'none'}" for name, k in found.suggestions.items())
    alt = f"Inertia, silhouette, gap statistic and stability over k. Suggested: {suggestions}."
    chart(found.figure(), f"{about.key}-picture", alt, "Criteria for the number of clusters")
    sentences = [CAPTION.format(calls=CALLS, seed=job.seed)]
    if found.n_searched < found.n:
        n, of = digits(found.n_searched), digits(found.n)
        sentences.append(f"Computed from a sample of {n} of {of} points.")
    if job.weighted:
        sentences.append("All points count equally.")
    st.caption(" ".join(sentences))
    if not job.active:
        choose(about, run, [row.k for row in found.rows])


def begin(run: LiveRun) -> Criteria:
    """Start computing the criteria for the points of a run."""
    return Criteria(run)


WORDS = f"""
Each criterion suggests a number of clusters from 1 to {LARGEST}:

- **Elbow**: the k where the inertia (WCSS) is farthest below the line between the
  ends of its curve.
- **Silhouette**: the k with the highest mean silhouette.
- **Gap statistic**: compares the inertia with that of {REFERENCES} sets of uniform points.
- **Stability**: the k with the most similar clusters of {SEEDS} samples of 80 % of the points.

The criteria often disagree on real data. Then choose k for your purpose.
"""
CAPTION = (
    "Each search makes {calls} calls from seed {seed}, with one centre redrawn at a time. Large "
    "markers show the suggested k. Bars show the standard error of the gap statistic."
)
