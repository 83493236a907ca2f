"""k-means on a benchmark set: controls → run → player → words."""

import streamlit as st

from prviz.datasets import Points
from prviz.ui.benchmarks import kmeans
from prviz.ui.views import page


def words(values: dict, dataset: Points) -> None:
    """What stands below the player."""
    st.markdown(SEEING)
    page.algorithm("centres", "Lloyd")
    st.markdown(f"## Data and credits\n{_credits(dataset)}")


def _credits(dataset: Points) -> str:
    n, d = dataset.points.shape
    lines = [f"**{dataset.name}**: {n} points in {d} dimensions; {dataset.source}."]
    if dataset.stand_in:
        lines.append("**A stand-in**, not the set of the paper.")
    lines.append(dataset.notice)
    if dataset.best_known is not None:
        lines.append(f"Lowest WCSS known: {dataset.best_known:.10g}.")
    return (
        f"{' '.join(filter(None, lines))}\n\n{page.PAPER} Initialisation k-means++: "
        "D. Arthur, S. Vassilvitskii, 2007."
    )


SEEING = """
## What you are seeing
**The picture.** Dots are the data, markers the centres. Lloyd's algorithm moves every centre to
the middle of the points nearest to it until nothing changes. Where it stops depends on where it
began: often two centres share one true cluster while another cluster has none.

**Your own points.** With *Draw your own*, press and hold in the picture to spray them; each stroke
starts a fresh search. With keys: Tab to the picture, arrows move the pen, Enter draws, Delete
erases, Escape leaves it. What you draw stays in this tab, is never written to disk, and is
forgotten with the tab. A link, and the address above, carry up to 120 points; of more, a short hash
that asks for the file.

**The search.** Starting all over throws away the many centres that already sit well. Partial
reinitialisation redraws only k₁ of them, lets Lloyd settle, and compares: no worse is kept, worse
is taken back to the checkpoint. After M₁ such attempts everything is redrawn, a restart.

**The curve.** Lowest WCSS (the sum of squared distances to the nearest centre) so far, for this run
and for full restarts alone with the same seed. Restarts may lead while the cost is high; redrawing
a few centres wins as the target gets hard. The strong control is to restart from k-means++ (choose
it as *Start*, among the advanced controls): on A3 it is quicker than M₁ = 100 and takes twice as
long as M₁ = 1000; on S1 and S2, with 15 clusters, it wins.

**Where it loses.** With that preset restarts begin from k-means++, which already puts most centres
well, and then ten of the 50 are redrawn at random: most of the ten sat well, so each attempt breaks
more than it mends. Over 40 seeds of 2 s, full restarts were ahead in all and solved all; partial
reinitialisation solved none. With k₁ = 1 both solved 30 of 30 within 0.5 s.
"""

page.show(kmeans.BENCHMARK, words)
