"""The page of k-means."""

import streamlit as st

from prviz.datasets import Points
from prviz.ui.benchmarks import kmeans
from prviz.ui.views import page


def words(values: dict, dataset: Points) -> None:
    """Draw the text below the player."""
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
the mean of the points nearest to it until nothing changes. The result depends on the start: often
two centres share one true cluster while another cluster has none.

**Your own points.** With *Draw your own*, press and hold in the picture to spray points. Each
stroke starts a new search. With the keyboard: Tab to the picture, arrows move the pen, Enter draws,
Delete erases, Escape leaves the picture. Your drawing stays in this tab, is never written to disk,
and is deleted with the tab. A link, and the address of the page, contain up to 120 points. With
more points, they contain a short hash instead, and the page asks for your file.

**The search.** A restart throws away the many centres that are already well placed. Partial
reinitialisation redraws only k₁ of them, runs Lloyd, and compares. If the cost is no higher, the
result is kept; otherwise the search reverts to the checkpoint. After M₁ attempts everything is
redrawn: a restart.

**The curve.** The curve shows the lowest WCSS so far (the sum of squared distances to the nearest
centre), for this run and for full restarts with the same seed. Restarts may lead while the cost is
high. Partial reinitialisation wins if the target is hard to reach. The strongest baseline restarts
from k-means++ (choose it as *Start*, among the advanced controls). On A3 this baseline is faster
than partial reinitialisation with M₁ = 100, but takes twice as long as with M₁ = 1000. On S1 and
S2, with 15 clusters, the baseline wins.

**Where it loses.** With the preset *where it loses*, restarts begin from k-means++, which already
places most centres well. Each attempt then redraws ten of the 50 at random. Most of the ten were
well placed, so each attempt does more damage than good. In 40 runs of 2 s, full restarts were ahead
every time and always solved the problem; partial reinitialisation never did. With k₁ = 1, both
methods solved 30 of 30 runs within 0.5 s.
"""

page.show(kmeans.BENCHMARK, words)
