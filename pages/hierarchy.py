"""The hierarchy page: up to eight levels, on any benchmark."""

from typing import Any

import streamlit as st

from prviz.ui.benchmarks import hierarchy
from prviz.ui.levels.nesting import nesting
from prviz.ui.views import page


def words(values: dict, dataset: Any) -> None:
    """Draw the text below the player."""
    chosen, n = hierarchy.case(values), hierarchy.n(values)
    if values["benchmark"] == "cube":
        st.markdown(STORY)
    st.markdown(SEEING)
    st.html(nesting(hierarchy.EDITOR.levels(values, n), n, chosen.variables, chosen.optimiser))
    st.markdown(READING)
    page.algorithm(chosen.variables, chosen.optimiser)
    st.markdown(MEANING)
    st.markdown(f"## Data and credits\n{_source(dataset.name, chosen.page)}\n\n{page.PAPER}")


def _source(name: str, page: str) -> str:
    if page:
        return f"{name}. The page “{page}” names its source."
    return f"{name[:1].upper()}{name[1:]}: Rastrigin's function with a random lowest point."


STORY = """
## Why more levels?
**Two levels get stuck.** They redraw patches of 10 spins. Soon no redraw of that size lowers the
energy, and the next restart comes much later. **Three levels** also redraw patches of 100 spins.
Such a redraw leaves the local optimum and keeps the other 243 spins. Both searches have the same
start, the same k₁, the same number of calls per restart, and equal work.

**How often is that so?** After 80,000 calls three levels are ahead in 97 of 100 seeds and behind in
one. They find the lowest known energy in 74 seeds; two levels never do. Nobody has proven that
this energy is the minimum.
This instance is the clearest of ten: on all ten, three levels are ahead in 106 of 120 runs.
Two levels that restart after 1000 redraws do not stay stuck. Against them, three levels are ahead
in 63 of 100 seeds and behind in 21.
"""

SEEING = """
## What you are seeing
**The levels.** On every level the search starts from a checkpoint. It redraws some variables, runs
the levels below, and compares. If the cost is no higher, the result is kept; otherwise the level
reverts to its checkpoint. The cards beside the picture have one line per level: the cost of its
checkpoint, and how many of its M redraws are done. Low levels redraw few variables often. High
levels redraw many variables rarely. The top level redraws everything.

**Line by line.** Algorithm 1 beside the picture highlights the current line. Full stop and comma go
to the next and the previous line; the arrows choose a level to jump to. Follow one redraw from its
checkpoint to its decision: on a revert the checkpoint's picture comes back. The button
*Algorithm 1* switches between the listing and the cost curve.

## How to read the hierarchy
These are the levels of the run above, with inner levels inside outer ones.
"""

READING = """
A restart costs M₁ · M₂ ⋯ calls of the local optimiser, so another level makes restarts rarer. The
paper tests two levels and expects more levels to be better. Compare them here with the same budget
and several seeds.

**Are three levels better than two tuned levels?** No instance that was tried here shows this in
nearly every seed. The most thorough comparison is a spin glass of 8 × 8 × 8 spins, after 10⁶
iterations per search. Three levels (patches of 10 and of 100 spins) end lower than the same search
without the middle level in 65 of 100 seeds. Two levels can also be tuned (k₁ = 25, M₁ = 3000).
Against them, three levels end lower in 47 seeds and higher in 51, which shows no difference. Two
levels are also enough for k-means on A3, for the Boltzmann machine and for k-medoids. Four levels
need less CPU time than two on k-means with 200 clusters and on the hidden Markov model of 64 bits,
in the median of 20 seeds.
"""

MEANING = """
The paper's text and its listing count M differently. In the text, and in its benchmarks, M₁ = 100
means 100 partial reinitialisations per restart. In the listing, M is the number of times that a
call on level l calls level l − 1. The same search then has M = 1 on level 1, and every other M is
one level higher. prviz uses the text's meaning everywhere.
"""

page.show(hierarchy.BENCHMARK, words)
