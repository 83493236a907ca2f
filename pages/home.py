"""The Home page: what prviz is, a live landscape, and links to all other pages."""

import streamlit as st

from prviz.ui.views import home, page, tour

WHAT = """
A local optimiser stops in the nearest local optimum. A restart throws away everything that was
found.
**Partial reinitialisation** redraws only a few of the variables, optimises again, and compares. If
the cost is no higher, the result is kept; otherwise the search reverts to the checkpoint. prviz
shows this live, on the four benchmarks of the [paper](https://arxiv.org/abs/1512.03025) and on your
own data.
"""

SEEING = f"""
## What you are seeing
**The landscape.** The ball is the configuration: one coordinate, or two. Descent moves it down the
slope to a local optimum. The dark parts of the landscape are lower than the best cost so far. When
no part is dark, the lowest point has been found.

**A redraw.** The dashed circle is the checkpoint. From there a coordinate jumps to α x + (1 − α) ξ,
shown in orange, with ξ random between −5 and 5. Then descent starts again. If the result is no
higher than the checkpoint, it is kept; otherwise it is reverted. After M₁ attempts all coordinates
are redrawn: a restart, shown in blue.

**What α does.** On average over {home.SEEDS} seeds, with M₁ = 10, this is the number of calls of
descent until the lowest point is found:

{home.calls_table()}

Near 1 the steps are too short to leave a local optimum, and partial redraws are worse than
restarts. The best α depends on the landscape; the paper's benchmarks use 0.

**The cards** show moments of recorded runs, drawn by the same player.
"""

CREDITS = (
    f"## Credits\n{page.PAPER} Landscape: L. A. Rastrigin, *Systems of Extremal Control*, "
    "1974 (in Russian), here centred on a random optimum."
)

with st.container(key="what"):
    with st.container(key="what-head", horizontal=True, vertical_alignment="center"):
        st.markdown("# Stuck? Redraw a little, keep the result if it is no worse")
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
