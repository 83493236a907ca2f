"""How many clusters? The lowest WCSS found for each k, on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from prviz.choose_k import CALLS, sample
from prviz.choose_k import M1 as REDRAWS
from prviz.engine.schedule import Level
from prviz.player.batch.job import BestJob
from prviz.player.live import LiveRun
from prviz.problems.kmeans.problem import kmeans
from prviz.ui.sections.watched import stop_button, watched
from prviz.ui.serve import session
from prviz.ui.serve.chart import chart
from prviz.ui.widgets.formatting import digits, six_digits

N_SIZES, LARGEST = 9, 500

Adopt = Callable[[int], str]


class Curve(BestJob):
    """The searches of one curve.

    Attributes
    ----------
    points : (n, d) float64
        Points of the run, or a sample of them.
    """

    def __init__(self, run: LiveRun):
        whole = run.problem
        chosen = sample(*whole.points.shape)
        self.points, weights = (each[chosen] for each in (whole.points, _weights(whole)))
        init = "k-means++" if whole.plus_plus else "forgy"
        super().__init__(
            run,
            lambda k: kmeans(self.points, k, init, weights=weights),
            sizes(whole.k, len(np.unique(self.points, axis=0))),
            lambda k: [Level(1, REDRAWS), Level(k)] if k > 1 else [Level(1)],
            CALLS,
            run.seed,
        )

    def fits(self, run: LiveRun) -> bool:
        """Return True if a run has the points, weights and initialisation of this job."""
        ours, theirs = self.problem, run.problem
        return ours.plus_plus == theirs.plus_plus and all(
            one is other or np.array_equal(one, other)
            for one, other in ((ours.points, theirs.points), (ours.weights, theirs.weights))
        )

    @property
    def sampled(self) -> bool:
        return len(self.points) < len(self.problem.points)


class About(NamedTuple):
    """The context of a section: its page, and a function that sets k and reports it."""

    page: str
    adopt: Adopt
    section: str = "elbow"

    @property
    def key(self) -> str:
        return f"{self.page}-{self.section}"

    @property
    def held(self) -> str:
        """Return the key of the section's job in the tab."""
        return f"{self.page}/{self.section}"

    @property
    def run(self) -> LiveRun | None:
        """Return the page's present run; a fragment's arguments may contain an old run."""
        return session.tab().run(self.page)

    @property
    def job(self) -> Any:
        """Return the section's job, if any."""
        return session.tab().probes.get(self.held)


def section(
    about: About, label: str, icon: str, body: Callable[[About, LiveRun, Any], None]
) -> None:
    """Draw a section of a page that has a run; a closed section has no content.

    A job for points other than the run's is dropped.
    """
    job, run = about.job, about.run
    if job and run and not job.fits(run):
        session.tab().drop_probe(about.held)
    watched(
        label,
        icon,
        about.key,
        lambda: about.job,
        lambda found: body(about, live, found) if (live := about.run) else None,
    )


def buttons(about: About, job: Any, label: str, icon: str, begin: Callable[[], Any]) -> bool:
    """Draw the buttons that start and stop a job; return whether it is active."""
    active = job is not None and job.active
    with st.container(horizontal=True, vertical_alignment="bottom"):
        start = st.button(
            label, icon=f":material/{icon}:", key=f"{about.key}-start", disabled=active
        )
        stop_button(job, about.key)
    if start:
        session.tab().probe(about.held, begin())
        st.rerun()
    return active


def elbow(page: str, adopt: Adopt) -> None:
    """Draw the section with the curve of a page that has a run."""
    label = "How many clusters? The lowest WCSS over k"
    section(About(page, adopt), label, "show_chart", _opened)


def _opened(about: About, run: LiveRun, curve: Curve | None) -> None:
    st.markdown(WORDS.format(calls=CALLS, m=REDRAWS))
    active = buttons(about, curve, "Search for each k", "show_chart", lambda: begin(run))
    if curve is None:
        return
    if active:
        _progress(curve)
    elif curve.trouble:
        st.error(curve.trouble, icon=":material/error:")
    if curve.found:
        _found(about, run, curve)


def _progress(curve: Curve) -> None:
    if curve.state == "waiting":
        words = "Waiting for the kernels, or for another curve to finish."
    else:
        k = curve.sizes[min(len(curve.found), len(curve.sizes) - 1)]
        words = f"k = {k}: {digits(curve.at)} of {curve.calls} calls"
    st.progress(curve.done, words)


def _found(about: About, run: LiveRun, curve: Curve) -> None:
    """Draw the curve, its description, and a choice of k."""
    from prviz.figures.elbow import elbow_info, plot_elbow

    info = elbow_info(curve.found)
    figure = plot_elbow(info, curve.sizes, run.problem.k)
    costs = "; ".join(f"{k}: {six_digits(cost)}" for k, cost in curve.found.items())
    alt = f"The lowest WCSS found for each k, both axes logarithmic. {costs}."
    chart(figure, f"{about.key}-picture", alt, "The lowest WCSS found for each k")
    sentences = [CAPTION.format(calls=curve.calls, seed=curve.seed)]
    if curve.sampled:
        n, of = digits(len(curve.points)), digits(len(curve.problem.points))
        sentences.append(f"The searches and the WCSS use a sample of {n} of {of} points.")
    if len(info.exact):
        sentences.append(f"k = {', '.join(map(str, info.exact))} has zero error and is not drawn.")
    st.caption(" ".join(sentences))
    if not curve.active:
        choose(about, run, list(curve.found))


def choose(about: About, run: LiveRun, tried: list[int]) -> None:
    """Draw a menu of the k that were tried, and a button that sets the page's k."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = tried.index(run.problem.k) if run.problem.k in tried else 0
        k = st.selectbox("k", tried, at, key=f"{about.key}-k", width=96)
        use = st.button(f"Use k = {k}", icon=":material/tune:", key=f"{about.key}-use")
    if use:
        st.session_state[f"{about.key}-said"] = about.adopt(k)
        st.rerun()
    if message := st.session_state.pop(f"{about.key}-said", ""):
        st.info(message, icon=":material/info:")


def begin(run: LiveRun) -> Curve:
    """Start the searches for the points of a run."""
    return Curve(run)


def sizes(k: int, n_distinct: int) -> list[int]:
    """Return numbers of clusters that grow by about the same factor, including k."""
    high = max(1, min(LARGEST, n_distinct - 1))
    low = min(2, high)
    spread = np.rint(np.geomspace(low, high, N_SIZES)).astype(int).tolist()
    return sorted({*spread, *([k] if low <= k <= high else [])})


def _weights(problem: Any) -> np.ndarray:
    """Return the weight of each point."""
    return problem.weights if len(problem.weights) else np.ones(len(problem.points))


WORDS = """
The lowest WCSS falls as k grows. Beyond the elbow of the curve, more clusters lower it only a
little. For each of several k, from 2 to at most 500, a search of {calls} calls redraws one centre
at a time (M₁ = {m}).
"""
CAPTION = (
    "Each point is the best of {calls} calls from seed {seed}: an upper bound of the lowest "
    "WCSS. So a point may lie above a point to its left. Both axes are logarithmic. The page's k "
    "is marked."
)
