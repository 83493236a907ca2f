"""The page of the paper's figures: claims, results and verdicts."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from prviz.code.figures import figure_script
from prviz.paper.results import load
from prviz.paper.studies import STUDIES, Study
from prviz.shipped import shipped
from prviz.ui.benchmark import Values
from prviz.ui.catalogue import benchmark
from prviz.ui.serve.chart import chart
from prviz.ui.state.links import to_params
from prviz.ui.widgets.formatting import counted, uniform

CLAIM = (
    "Each claim of the paper, prviz's result, and a verdict by rules that were fixed in advance."
)
LOOKS: dict[str, tuple[str, Literal["green", "orange", "red", "gray"]]] = {
    "reproduced": (":material/check_circle:", "green"),
    "partly": (":material/contrast:", "orange"),
    "not": (":material/cancel:", "red"),
}
SAYS = {"reproduced": "reproduced", "partly": "partly reproduced", "not": "not reproduced"}
#: By study: the page that shows its runs, the preset there, and values that differ from the preset.
SEEN: dict[str, tuple[str, str, Values]] = {
    "2": ("hmm", "paper", {}),
    "3": ("kmeans", "paper", {}),
    "k1": ("kmeans", "paper", {"k1": 5}),
    "4": ("kmedoids", "paper", {}),
    "5": ("rbm", "paper", {"batch": 100, "rate": 0.1}),
    "5-decay": ("rbm", "paper, weight decay", {"batch": 100, "rate": 0.1}),
}
WORDS = """
## How a claim is judged

Each claim has parts, and each part has a rule. The rules were committed before the first run. One
rule was corrected later (see figure 4). The program that computes a figure applies the rules: a
claim is *reproduced* if every part holds, *partly reproduced* if some parts hold, otherwise *not
reproduced*. Intervals are 95 % intervals. Lines are medians over all runs. The narrow band is the
median's 95 % interval by order statistics; the wide band encloses the middle half of the runs.
Nothing is smoothed. P is the probability that a run of partial reinitialisation is better than a
run of the other method. Ties count half. The interval of P is Brunner and Munzel's.

Runs are numbered from 0; the number is the seed. The command below a figure computes it again. With
a budget in iterations or calls, everything except CPU seconds is the same on every machine,
including the hash. With a budget in CPU seconds, results depend on the processor.
"""


def show() -> None:
    """Run the page's script once."""
    with st.container(key="title", horizontal=True, vertical_alignment="bottom"):
        st.markdown("# The paper's figures")
        st.markdown(CLAIM)
    results = {study.name: load(study.name) for study in STUDIES}
    _overview(results)
    for study in STUDIES:
        with st.container(key=f"study-{study.name}"):
            _study(study, results[study.name])
    with st.container(key="words"):
        st.markdown(WORDS)


def heading(study: Study) -> str:
    """Return a heading such as "Figure 3: k-means on A3"."""
    return f"{study.place}: {study.title}"


def seen(study: Study) -> tuple[str, Values]:
    """Return the page that shows a study, and the page's values for it."""
    page, preset, more = SEEN[study.name]
    shown = benchmark(page)
    return page, {**shown.defaults, **shown.presets(dict(shown.defaults))[preset], **more}


def _overview(results: dict[str, dict[str, Any] | None]) -> None:
    rows = ["| | claim | here | runs |", "|---|---|---|--:|"]
    for study in STUDIES:
        result = results[study.name]
        verdict = SAYS[result["verdict"]] if result else "not computed yet"
        n = f"{result['n']} + {result['n']}" if result else ""
        rows.append(uniform(f"| {study.place} | {study.claim} | {verdict} | {n} |"))
    with st.container(key="overview"):
        st.markdown("\n".join(rows))


def _study(study: Study, result: dict[str, Any] | None) -> None:
    st.markdown(f"## {heading(study)}")
    st.markdown(f"**The paper:** {uniform(study.claim)}")
    if result is None:
        st.info(
            f"Not computed yet. Run `python -m prviz figures {study.name}`.",
            icon=":material/hourglass_empty:",
        )
        return
    icon, colour = LOOKS[result["verdict"]]
    st.badge(SAYS[result["verdict"]], icon=icon, color=colour)
    st.markdown(f"**Here:** {uniform(result['words'])}")
    st.markdown(uniform("\n".join(_part(part) for part in result["parts"])))
    chart(
        result["figure"],
        f"figure-{study.name}",
        f"{heading(study)}. {result['words']}",
        heading(study),
    )
    _ways(study)
    with st.expander("Settings, deviations, and how to repeat it", key=f"how-{study.name}"):
        st.markdown(uniform(f"**Settings.** {study.settings} Each run: {budget(study)}."))
        st.markdown("**What differs from the paper**\n\n" + uniform(_listed(study.deviations)))
        st.markdown(provenance(result))
        st.code(result["made"]["command"], language="sh")
        _code(study, result)


def _code(study: Study, result: dict[str, Any]) -> None:
    """Draw the study as a Python script, to copy or save."""
    script = figure_script(study, heading(study), result)
    python = script.python()
    st.markdown("**Open as code**")
    st.code(python)
    with st.container(key=f"code-{study.name}", horizontal=True):
        name, key = script.name, f"code-{study.name}"
        st.download_button("Download .py", python, f"{name}.py", "text/x-python", key=f"{key}-py")
        notebook = script.notebook(), f"{name}.ipynb", "application/x-ipynb+json"
        st.download_button("Download notebook", *notebook, key=f"{key}-ipynb")


def _ways(study: Study) -> None:
    """Draw links to one run with a study's settings, and to a small race."""
    page, values = seen(study)
    query = to_params(benchmark(page).linked(values))
    with st.container(key=f"ways-{study.name}", horizontal=True):
        st.page_link(
            shipped("pages", f"{page}.py"),
            label="Watch one run",
            icon=":material/play_arrow:",
            query_params=query,
        )
        st.page_link(
            shipped("pages", "race.py"),
            label="Race a few",
            icon=":material/flag:",
            query_params={**query, "page": page},
        )


def _part(part: dict[str, Any]) -> str:
    mark = ":green[:material/check:]" if part["holds"] else ":red[:material/close:]"
    holds = "holds" if part["holds"] else "does not hold"
    return f"- {mark} {part['says']} It {holds}: {part['shown']}.  \n  :small[Rule: {part['rule']}]"


def budget(study: Study) -> str:
    """Return the budget of each run of a study as text."""
    ((unit, total),) = study.budget.items()
    return {
        "work": f"{counted(total, study.iteration)} of the local optimiser",
        "calls": f"{counted(total, 'call')} of the local optimiser",
        "seconds": f"{total:g} CPU seconds",
    }[unit]


def _listed(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def provenance(result: dict[str, Any]) -> str:
    """Return how a result was computed, as Markdown."""
    made = result["made"]
    return (
        f"**Computed** on {made['date']} with prviz {made['prviz']}, on {made['processor']}: "
        f"{counted(result['n'], 'run')} of each contender, {counted(made['calls'], 'call')} of the "
        f"local optimiser, {counted(made['cpu_seconds'], 'CPU second')}; all runs together have "
        f"the hash `{made['hash']}`."
    )
