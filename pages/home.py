"""The start: what prviz is, a landscape to watch it on, and the way to every other page."""

import streamlit as st

from prviz.ui.views import home, page, tour

WHAT = """
An optimiser that only goes downhill ends in the nearest hollow and is stuck there. Starting all
over throws away everything it has found. **Partial reinitialisation** redraws only a few of its
variables, lets the optimiser settle, and compares: no worse is kept, worse is taken back to the
checkpoint. prviz shows that live, on the four benchmarks of the
[paper](https://arxiv.org/abs/1512.03025) and on your own data.
"""

SEEING = f"""
## What you are seeing
**The landscape.** The ball is what the search knows: one coordinate, or two. Descent takes it down
the slope until there is none. The dark part is lower than the best found so far; when nothing is
dark any more, the lowest hollow has been found.

**A redraw.** The dashed circle is the checkpoint. From there a coordinate jumps to α x + (1 − α) ξ,
with ξ anywhere from −5 to 5, which is drawn in orange, and descent begins anew. No higher than the
checkpoint is kept; higher is reverted. After M₁ such attempts all coordinates are drawn afresh, a
restart, in blue.

**What α does.** On average over {home.SEEDS} seeds, with M₁ = 10, it takes so many calls of descent
to find the lowest hollow:

{home.calls_table()}

Near 1 the steps are too short to leave a hollow, and redrawing a little does worse than starting
all over. Which α is best depends on the landscape; the paper's benchmarks have 0.

**The cards** show moments of recorded runs, drawn by the same player.
"""

CREDITS = (
    f"## Credits\n{page.PAPER} Landscape: L. A. Rastrigin, *Systems of Extremal Control*, "
    "1974 (in Russian), here about a random optimum."
)

with st.container(key="what"):
    with st.container(key="what-head", horizontal=True, vertical_alignment="center"):
        st.markdown("# Stuck? Redraw a little, keep what is no worse")
        home.learn()
        tour.offer()
    st.markdown(WHAT)
home.theatre()
home.cards()
with st.container(key="words"):
    st.markdown(SEEING)
    home.notebooks()
    page.algorithm("coordinates", "descent")
    st.markdown(CREDITS)
    page.keys(compact=True)
