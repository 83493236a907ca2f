"""The page of k-medoids, on pictures or on your own matrix."""

import streamlit as st

from prviz.datasets import Dissimilarities, Pictures
from prviz.ui.benchmarks import kmedoids
from prviz.ui.views import page


def words(values: dict, dataset: Pictures | Dissimilarities) -> None:
    """Draw the text below the player."""
    st.markdown(SEEING.format(picture=WALL if isinstance(dataset, Pictures) else MAP))
    page.algorithm("medoids", "the local optimiser")
    st.markdown(f"## Data and credits\n{_credits(values, dataset)}")


def _distances(values: dict) -> str:
    """Return the metric as text; empty if the data are dissimilarities, not points."""
    metric = kmedoids.metric_of(values)
    return f", {kmedoids.metric_name(metric)} distances" if metric else ""


def _credits(values: dict, dataset: Pictures | Dissimilarities) -> str:
    if isinstance(dataset, Pictures):
        height, width = dataset.shape
        about = f"{len(dataset.points)} pictures of {width} × {height} pixels{_distances(values)}"
    else:
        about = f"{len(dataset.matrix)} points{_distances(values)}"
    lines = [f"**{dataset.name}**: {about}; {dataset.source}."]
    if isinstance(dataset, Pictures):
        if dataset.stand_in:
            lines.append("**A stand-in**, not the set of the paper.")
        if dataset.best_known is not None:
            lines.append(
                f"Lowest known cost with {dataset.n_clusters} medoids: {dataset.best_known:.10g}."
            )
    lines.append(dataset.notice)
    return f"{' '.join(filter(None, lines))}\n\n{CREDITS}"


SEEING = """
## What you are seeing
**The picture.** {picture} Click a medoid, or go to it with Tab and the arrow keys and press Enter:
you see the members of its cluster with their distances, nearest first. The list changes with the
picture.

**The search.** A medoid is a data point that represents its cluster. The cost is the sum of all
points' dissimilarities to their nearest medoid. Alternation assigns every point to its nearest
medoid and then takes the best member of each cluster as its medoid, until nothing changes. Swap
search exchanges a medoid for any other point if that lowers the cost. Partial reinitialisation
moves only k₁ medoids to random points, runs the optimiser, and compares. If the cost is no higher,
the result is kept; otherwise the search reverts to the checkpoint. After M₁ attempts everything is
redrawn: a restart. *Local* sub-sets (among the advanced controls) move a medoid to a point near
itself, or near another medoid.

**The curve.** The curve shows the lowest cost so far, for this run and for full restarts with the
same seed. On the paper's faces, Alternation with full restarts stays far above. Redrawing one
medoid at a time brings Alternation close to Swap search, which gains little from redraws.

**Affinity propagation.** *Compare with affinity propagation* draws the cost of affinity propagation
as a line, for the same number of medoids. You cannot set that number directly: it depends on the
*preference*. The legend shows the CPU seconds of all preferences that were tried. The cost assigns
every point to its nearest medoid.
"""

WALL = """Each tile is a medoid, one of the pictures. The bar below it is the size of its
cluster. The largest clusters come first; the order changes only between calls. Redrawn medoids
flash and keep an outline. On a revert the old picture comes back."""

MAP = """Dots are your points, markers the medoids. Classical scaling places them so that distances
on the map approximate the dissimilarities. A redrawn medoid has a ring, and an arrow from its old
place."""

CREDITS = (
    f"{page.PAPER} Its third benchmark is 900 faces and 121 medoids, k₁ = 1, M₁ ≈ 0.5·10⁶. "
    "Swap search: E. Schubert, P. J. Rousseeuw, *Fast and eager k-medoids clustering*, Information "
    "Systems 101, 2021. Affinity propagation: B. J. Frey, D. Dueck, *Clustering by passing "
    "messages between data points*, Science 315, 2007, as implemented in scikit-learn. Map: "
    "W. S. Torgerson, *Multidimensional scaling*, Psychometrika 17, 1952."
)

page.show(kmedoids.BENCHMARK, words)
