"""k-means on a benchmark set: controls → run → player → words."""

from html import escape

import streamlit as st

from prviz import warm
from prviz.datasets import DataUnavailable, Points
from prviz.ui import kmeans, session
from prviz.ui.controls import Controls, changes
from prviz.ui.links import Link, parse, to_params
from prviz.ui.player import event, player

PAGE = "kmeans"
state = st.session_state


def main() -> None:
    """One script run."""
    link = _opened()
    values = state[PAGE]
    trouble = _settled(values)
    trouble = _run(values, link) or trouble
    _theatre(values)  # first, as it is what a changed control is waited for
    with st.sidebar:
        _controls(values, trouble)
    _words(values)


def _opened() -> Link | None:
    """Read the link at the first script run of a session; what is wrong with it is said once."""
    if PAGE in state:
        return None
    link = parse(st.query_params, kmeans.TABLE)
    values, problems = link.values, link.problems
    if "n_clusters" not in st.query_params:
        values["n_clusters"] = kmeans.N_CLUSTERS[values["data"]]
    problems += kmeans.fit(values)
    try:
        kmeans.levels(values)
    except ValueError as error:
        problems.append(f"its levels break a rule: {error}")
        values.update({name: kmeans.DEFAULTS[name] for name in ("k1", "m1", "alpha", "k2", "m2")})
    if problems:
        st.toast(
            "This link is not quite right. " + "; ".join(problems) + ". "
            "Defaults stand in for what could not be read.",
            icon=":material/link_off:",
            duration="long",
        )
    state[PAGE] = values
    state["ran"] = False  # whether Run has been pressed: from then on, changes start at once
    state["data"] = None  # the set that was last to be had
    return link


def _settled(values: dict) -> str:
    """Make the values fit each other and the data at hand; what could not be had, in words."""
    trouble = ""
    if values["data"] != state["data"]:
        try:
            with st.spinner(f"Fetching {kmeans.TABLE[0].choices[values['data']]} …"):
                kmeans.data(values["data"])
        except DataUnavailable as error:
            trouble = str(error)
            values["data"] = state["data"] or kmeans.DEFAULTS["data"]
        if state["data"] is not None and values["data"] != state["data"]:
            values["n_clusters"] = kmeans.N_CLUSTERS[values["data"]]
        state["data"] = values["data"]
    kmeans.fit(values)
    return trouble


def _controls(values: dict, trouble: str) -> None:
    controls = Controls(PAGE, kmeans.TABLE, values)
    n = values["n_clusters"]
    controls.choice("data")
    _presets(values)
    controls.slider("k1", high=n)
    controls.slider("m1", disabled=kmeans.standard(values))
    controls.slider("alpha")
    controls.amount("budget")
    controls.seed("seed")
    _buttons(values, trouble)
    with st.expander("Clusters, restarts, levels", icon=":material/tune:"):
        controls.number("n_clusters")
        controls.choice("init")
        controls.number("k2", high=n - 1)
        controls.number("m2")


def _presets(values: dict) -> None:
    chosen = kmeans.preset_of(values)
    if state.get("preset") != chosen:
        state["preset"] = chosen

    def take() -> None:
        values.update(kmeans.PRESETS.get(state["preset"], {}))

    st.pills(
        "Preset",
        list(kmeans.PRESETS),
        key="preset",
        on_change=take,
        label_visibility="collapsed",
        help="quick look: A3-like for 2 s. paper: its benchmark, A3 with k₁ = 1, M₁ = 100, α = 0.",
    )


def _buttons(values: dict, trouble: str) -> None:
    with st.container(key="buttons", horizontal=True):
        st.button("Run", type="primary", icon=":material/play_arrow:", on_click=_ask_run)
        st.button(
            "Stop",
            icon=":material/stop:",
            help="Stop the search; what was found stays.",
            on_click=_stop,
        )
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            help="All controls as they were at first",
            on_click=lambda: values.update(kmeans.DEFAULTS),
        )
    if trouble:
        st.error(trouble, icon=":material/error:")
    st.caption(kmeans.cost(values, session.rate(kmeans.work(values))))


def _ask_run() -> None:
    state["ask run"] = state["ran"] = True


def _stop() -> None:
    run = session.seat().run
    if run and run.state in ("waiting", "running"):
        run.stop()


def _run(values: dict, link: Link | None) -> str:
    """Give the tab a new run where one is due; what stands against it, in words."""
    place = session.seat()
    asked = state.pop("ask run", False)
    former = state.get("of run")  # the values of the run that is shown
    wanted = kmeans.relevant(values)
    if place.run is not None:
        session.note_rate(place.run, kmeans.work(former))
        if wanted == former and not asked:
            return ""
    try:
        run = kmeans.live_run(values)
    except (ValueError, TypeError) as error:
        return str(error)
    go = state["ran"]
    said = changes(former, wanted, kmeans.TABLE) if former else ""
    state["of run"] = wanted
    state["autoplay"] = go
    state["notice"] = f"{said}: fresh run" if said and go else said
    state["open at"] = {"call": str(link.call)} if link and link.call else {}
    place.take(run, start=go or bool(state["open at"]))
    return ""


def _theatre(values: dict) -> None:
    run = session.seat().run
    dataset = kmeans.data(state["of run"]["data"] if run else values["data"])
    with st.container(key="title", horizontal=True, vertical_alignment="bottom"):
        st.markdown(f"# k-means on {dataset.name}")
        st.markdown(
            "Redraw one centre, let Lloyd settle, keep what is no worse: "
            "hard targets fall sooner than by restarting."
        )
    if run is not None:
        if not warm.ready():
            _wait_for_kernels()
        player(
            run.id if warm.ready() else session.recorded(PAGE).id,
            {**to_params(values), **state["open at"]},
            page=PAGE,
            autoplay=state["autoplay"],
            notice=state["notice"],
            on_event=_heard,
        )


@st.fragment(run_every=1.0)
def _wait_for_kernels() -> None:
    """A recorded run is shown; the live one takes its place as soon as it can."""
    if warm.ready():
        state["notice"] = "The kernels are ready."
        st.rerun()


def _heard() -> None:
    told, place = event(PAGE), session.seat()
    if told == "run":
        state["ran"] = True
        if place.run and place.run.state == "ready":  # asked for while a recording was shown
            place.run.start()
        if place.run and place.run.state in ("stopped", "failed"):
            _ask_run()
    elif told == "gone":  # a fresh one is prepared, not started
        place.run, state["ran"] = None, False


def _words(values: dict) -> None:
    run, dataset = session.seat().run, kmeans.data(values["data"])
    algorithm = run.layout()["algorithm"] if run else []
    with st.container(key="words"):
        st.markdown(SEEING)
        st.markdown("## Algorithm 1")
        if algorithm:
            st.html("<pre>" + escape("\n".join(algorithm)) + "</pre>")  # st.code loads 1.5 MB
        st.markdown(READING)
        st.markdown(f"## Data and credits\n{_credits(dataset)}")
        st.markdown(KEYS)


def _credits(dataset: Points) -> str:
    n, d = dataset.points.shape
    lines = [f"**{dataset.name}**: {n} points in {d} dimensions; {dataset.source}."]
    if dataset.stand_in:
        lines.append("**A stand-in**, not the set of the paper.")
    lines.append(dataset.notice)
    if dataset.best_known is not None:
        lines.append(f"Lowest WCSS known: {dataset.best_known:.10g}.")
    return f"{' '.join(filter(None, lines))}\n\n{PAPER}"


SEEING = """
## What you are seeing
**The picture.** Dots are the data, markers the centres. Lloyd's algorithm moves every centre to
the middle of the points nearest to it until nothing changes. Where it stops depends on where it
began: often two centres share one true cluster while another cluster has none.

**The search.** Starting all over throws away the many centres that already sit well. Partial
reinitialisation redraws only k₁ of them, lets Lloyd settle, and compares: no worse is kept, worse
is taken back to the checkpoint. After M₁ such attempts everything is redrawn, a restart.

**The curve.** Lowest WCSS (the sum of squared distances to the nearest centre) so far, for this run
and for full restarts alone with the same seed. Restarts may lead while the cost is high; redrawing
a few centres wins as the target gets hard. The strong control is to restart from k-means++ (choose
it as *Start*, among the advanced controls): on A3 it is quicker than M₁ = 100 and takes twice as
long as M₁ = 1000; on S1 and S2, with 15 clusters, it wins.
"""

READING = """
k_l and M_l mean what the paper's text says: on level l, k_l centres are redrawn M_l times for every
redraw on the level above. The listing counts one level lower; `prviz/reference.py` holds it word
for word, with the mapping. The top level redraws all N centres, and its checkpoint is the best
configuration so far. Right after a restart the checkpoint is a configuration that Lloyd has not
seen, so the first attempt is nearly always kept.
"""

PAPER = (
    "Method: I. Zintchenko, M. Hastings, N. Wiebe, E. Brown, M. Troyer, *Partial Reinitialisation "
    "for Optimisers*, 2016. Initialisation k-means++: D. Arthur, S. Vassilvitskii, 2007."
)

KEYS = """
## Keys
Space plays and pauses; ← and → step by a frame, with Shift by a call; N and P go to the next and
the previous event of the chosen kind; 1 to 5 set the speed; L follows the search; ? explains.
The wheel zooms the picture, a double click resets it.
"""

main()
