"""k-medoids on pictures or an own matrix: controls → run → player → words."""

import streamlit as st

from prviz.datasets import Dissimilarities, Pictures
from prviz.ui.benchmarks import kmedoids
from prviz.ui.views import page


def words(values: dict, dataset: Pictures | Dissimilarities) -> None:
    """What stands below the player."""
    st.markdown(SEEING.format(picture=WALL if isinstance(dataset, Pictures) else MAP))
    page.algorithm("medoids", "the local optimiser")
    st.markdown(f"## Data and credits\n{_credits(values, dataset)}")


def _distances(values: dict) -> str:
    """Which, where they were computed here."""
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
                f"Lowest total known for {dataset.n_clusters} medoids: {dataset.best_known:.10g}."
            )
    lines.append(dataset.notice)
    return f"{' '.join(filter(None, lines))}\n\n{CREDITS}"


SEEING = """
## What you are seeing
**The picture.** {picture} Click a medoid, or go to it with Tab and the arrow keys and press Enter,
to see the members of its cluster and their distances, nearest first; they follow the frame shown.

**The search.** A medoid is a point that represents others; the cost is the sum of all points'
dissimilarities from their nearest medoid. Alternation assigns every point to its nearest medoid and
then takes the best member of each cluster as its medoid, until nothing changes. Swap search
exchanges one medoid for any other point wherever that helps. Partial reinitialisation moves only k₁
medoids to random points, lets the optimiser settle, and compares: no worse is kept, worse is taken
back to the checkpoint. After M₁ such attempts everything is redrawn, a restart. *Local* sub-sets
(among the advanced controls) move a medoid to a point near itself, or near another medoid.

**The curve.** Lowest cost so far, for this run and for full restarts alone with the same seed. On
the paper's faces, Alternation by full restarts stays far above; redrawing one medoid at a time
brings it close to Swap search, which needs little help. *Compare with affinity propagation* adds
what that comes to, with as many medoids, as a level; its CPU seconds stand in the legend and count
every preference that had to be tried. It is not told the number of clusters, and finds it through
its preference; every point then goes to its nearest medoid.
"""

WALL = """Each tile is a medoid, one of the pictures, and the bar below it is the size of its
cluster. The biggest come first; they change places only when a call has been decided, so that what
happens within a call can be watched. What is redrawn flashes and keeps an outline; on a revert the
old picture comes back."""

MAP = """Dots are your points, markers the medoids, placed by classical scaling so that distances on
the map are like the dissimilarities, as far as two dimensions allow. What is redrawn is ringed,
with an arrow from where it was."""

CREDITS = (
    f"{page.PAPER} Its third benchmark is 900 faces and 121 medoids, k₁ = 1, M₁ ≈ 0.5·10⁶. "
    "Swap search: E. Schubert, P. J. Rousseeuw, *Fast and eager k-medoids clustering*, Information "
    "Systems 101, 2021. Affinity propagation: B. J. Frey, D. Dueck, *Clustering by passing "
    "messages between data points*, Science 315, 2007, by scikit-learn. Map: W. S. Torgerson, "
    "*Multidimensional scaling*, Psychometrika 17, 1952."
)

page.show(kmedoids.BENCHMARK, words)
