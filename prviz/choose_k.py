"""Choose the number of clusters: run k-means for several k and compare four criteria."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .checks import whole_number, within
from .datasets.check import check_points
from .datasets.distances import nearest
from .problems.kmeans.problem import kmeans
from .search.run import Run, run
from .system.progress import ProgressBar, check_progress

LARGEST = 10  # largest k by default
CALLS, M1 = 100, 100  # calls and M₁ of each search
SEEDS, REFERENCES = 5, 10  # numbers of samples (stability) and reference sets (gap statistic)
SHARE = 0.8  # fraction of the points in a stability sample
MOST_POINTS, MOST_NUMBERS = 10_000, 400_000  # limits of n and of n × d; larger data are sampled
MOST_PAIRED = 5000  # the silhouette compares all pairs of up to this many points
SAMPLE_SEED = 0
CRITERIA = {
    "elbow": "the elbow of the inertia",
    "silhouette": "the silhouette",
    "gap": "the gap statistic",
    "stability": "the stability",
}


class Row(NamedTuple):
    """Results for one k.

    Attributes
    ----------
    k : int
    inertia : float
        Lowest inertia found.
    silhouette : float
        Mean over the points; NaN for one cluster.
    gap, gap_error : float
        Gap statistic and its standard error.
    stability : float
        Mean adjusted Rand index of clusterings of samples; NaN for one cluster.
    """

    k: int
    inertia: float
    silhouette: float
    gap: float
    gap_error: float
    stability: float


class KChoice:
    """Criteria for the number of clusters.

    Attributes
    ----------
    rows : list of Row
        Sorted by k.
    n, n_searched : int
        Number of all points, and number of points that were clustered.
    interrupted : bool
        True if Ctrl-C stopped the computation before all k were done.
    """

    def __init__(self, rows: list[Row], n: int, n_searched: int, interrupted: bool = False):
        self.rows, self.n, self.n_searched = rows, n, n_searched
        self.interrupted = interrupted

    @property
    def table(self) -> Any:
        """Return a pandas DataFrame: one row per k, one column per criterion."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=Row._fields).set_index("k")

    @property
    def suggestions(self) -> dict[str, int | None]:
        """Return the k that each criterion suggests; None for a criterion without a suggestion."""
        if not self.rows:
            return dict.fromkeys(CRITERIA)
        ks, inertia, silhouette, gap, error, stability = np.array(self.rows).T
        return {
            "elbow": _elbow(ks, inertia),
            "silhouette": _highest(ks, silhouette),
            "gap": _first_gap(ks, gap, error),
            "stability": _highest(ks, stability),
        }

    @property
    def words(self) -> str:
        """Return the suggestions as text."""
        votes: dict[int, list[str]] = {}
        silent: list[str] = []
        for name, k in self.suggestions.items():
            (silent if k is None else votes.setdefault(k, [])).append(CRITERIA[name])
        order = sorted(votes, key=lambda k: (-len(votes[k]), k))
        sentences = [_sentence(votes[k], f"k = {k}") for k in order]
        if silent:
            sentences.append(_sentence(silent, "none of these k"))
        return " ".join(sentences)

    def figure(self) -> Any:
        """Return a Plotly figure of the four criteria over k, with the suggestions marked."""
        from .figures.choose_k import plot_choice

        return plot_choice(self.rows, self.suggestions)

    def __repr__(self) -> str:
        return f"<KChoice: {self.words}>"

    def _repr_html_(self) -> str:
        from .figures.card import card

        rows = [(row.k, *(f"{v:.4g}" for v in row[1:])) for row in self.rows]
        return card(self.words, rows, head=[name.replace("_", " ") for name in Row._fields])


def choose_k(
    points: Any,
    ks: Iterable[int] | None = None,
    *,
    calls: int = CALLS,
    seeds: int = SEEDS,
    references: int = REFERENCES,
    seed: int = 0,
    progress: bool | None = None,
) -> KChoice:
    """Cluster points for several k and compare four criteria; needs scikit-learn.

    - *Elbow*: the k where the inertia is farthest below the line between the ends of its curve.
    - *Silhouette*: the k with the highest mean silhouette.
    - *Gap statistic* (Tibshirani, Walther and Hastie 2001): the first k with gap(k) ≥ gap(k + 1) −
      s(k + 1), where s is the standard error. Reference sets are uniform in the bounding box along
      the principal components.
    - *Stability*: the k with the highest mean adjusted Rand index between clusterings of different
      samples of 80 % of the points.

    >>> import numpy as np, prviz
    >>> middles = np.repeat([[0, 0], [0, 9], [9, 0]], 30, axis=0)
    >>> points = middles + np.random.default_rng(0).normal(size=(90, 2))
    >>> prviz.choose_k(points, range(1, 6), calls=20).suggestions
    {'elbow': 3, 'silhouette': 3, 'gap': 3, 'stability': 3}

    Parameters
    ----------
    points : (n, d) array_like
        Of more than 10,000 points, a random sample of 10,000 is clustered. With d > 40 columns,
        this limit is 400,000 / d points, but at least 1000.
    ks : iterable of int
        Numbers of clusters to try, by default 1 to 10.
    calls : int
        Budget of each search in calls of Lloyd's algorithm.
    seeds : int
        Number of samples for the stability, at least 2.
    references : int
        Number of reference sets for the gap statistic, at least 1.
    seed : int
        The same seed gives the same result.
    progress : bool
        Whether to show a progress bar. By default, it is shown if standard error is a terminal,
        and in a notebook.

    Returns
    -------
    KChoice
        After Ctrl-C, it has the results so far.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    whole = check_points(points)
    searched = whole[sample(*whole.shape)]
    numbers = sizes(ks, searched)
    given = {"calls": (calls, 1), "seeds": (seeds, 2), "references": (references, 1)}
    for name, (value, least) in given.items():
        if whole_number(value, name) < least:
            raise ValueError(f"{name} must be at least {least}, got {value}.")
    check_progress(progress)
    bar = ProgressBar(
        lambda row: f"k = {row.k}",
        lambda row: (numbers.index(row.k) + 1) / len(numbers),
        title="choose k: ",
        shown=progress,
    )
    found = KChoice([], len(whole), len(searched))
    try:
        for row in rows(searched, numbers, calls, seeds, references, seed):
            found.rows.append(row)
            bar(row)
    except KeyboardInterrupt:
        found.interrupted = True
    finally:
        bar.close()
    return found


def sample(n: int, d: int) -> Any:
    """Return the indices of the points to cluster: a slice of all n points, or a random sample."""
    most = min(MOST_POINTS, max(1000, MOST_NUMBERS // d))
    if n <= most:
        return slice(None)
    return np.sort(np.random.default_rng(SAMPLE_SEED).choice(n, most, replace=False))


def sizes(ks: Iterable[int] | None, points: np.ndarray) -> list[int]:
    """Return the numbers of clusters, ascending."""
    most = len(np.unique(points, axis=0)) - 1
    if most < 1:
        raise ValueError("All points are equal. Clusters need at least 2 distinct points.")
    if ks is None:
        return [*range(1, min(LARGEST, most) + 1)]
    if not isinstance(ks, Iterable):
        raise TypeError(f"ks must be numbers of clusters, such as range(2, 9), got {ks!r}.")
    name = "every k in ks"
    numbers = sorted({within(whole_number(k, name), 1, most, name) for k in ks})
    if not numbers:
        raise ValueError("ks is empty. Give at least one number of clusters.")
    return numbers


def rows(
    points: np.ndarray,
    numbers: list[int],
    calls: int = CALLS,
    seeds: int = SEEDS,
    references: int = REFERENCES,
    seed: int = 0,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Row]:
    """Yield the criteria of each k; raise a KeyboardInterrupt after Ctrl-C, or if stop() is True.

    The other arguments are those of :func:`choose_k`.
    """

    def search(points: np.ndarray, k: int) -> Run:
        problem = kmeans(points, k, "k-means++")
        found = run(problem, 1, M1, calls=calls, seed=seed, callback=lambda now: stop())
        if found.interrupted or stop():
            raise KeyboardInterrupt
        return found

    rng = np.random.default_rng(seed)
    uniform = [_reference(points, rng) for _ in range(references)]
    n_sampled = max(2, round(SHARE * len(points)))
    samples = [points[rng.choice(len(points), n_sampled, replace=False)] for _ in range(seeds)]
    for k in numbers:
        found = search(points, k)
        expected = np.log([search(each, k).best_cost for each in uniform])
        yield Row(
            k,
            found.best_cost,
            _silhouette(points, found.best_state.labels, seed),
            float(expected.mean() - np.log(found.best_cost)),
            float(expected.std() * math.sqrt(1 + 1 / references)),
            _stability(points, samples, k, search),
        )


def _reference(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Sample n uniform points from the bounding box along the principal components of n points."""
    middle = points.mean(axis=0)
    axes = np.linalg.svd(points - middle, full_matrices=False)[2]
    along = (points - middle) @ axes.T
    drawn = rng.uniform(along.min(axis=0), along.max(axis=0), (len(points), len(axes)))
    return drawn @ axes + middle


def _silhouette(points: np.ndarray, labels: np.ndarray, seed: int) -> float:
    from sklearn.metrics import silhouette_score

    if len(points) > MOST_PAIRED:
        chosen = np.random.default_rng(seed).choice(len(points), MOST_PAIRED, replace=False)
        points, labels = points[chosen], labels[chosen]
    if not 1 < len(np.unique(labels)) < len(points):
        return math.nan
    # "minkowski", because "euclidean" in scikit-learn has large rounding errors far from the origin
    return float(silhouette_score(points, labels, metric="minkowski", p=2))


def _stability(
    points: np.ndarray, samples: list[np.ndarray], k: int, search: Callable[[np.ndarray, int], Run]
) -> float:
    """Return the mean adjusted Rand index of clusterings of different samples."""
    from sklearn.metrics import adjusted_rand_score

    if k == 1 or min(len(np.unique(each, axis=0)) for each in samples) < k:
        return math.nan
    centers = [search(each, k).best_state.centers for each in samples]
    labels = [nearest(points, each) for each in centers]
    pairs = itertools.combinations(labels, 2)
    return float(np.mean([adjusted_rand_score(one, other) for one, other in pairs]))


def _elbow(ks: np.ndarray, inertia: np.ndarray) -> int | None:
    """Return the k whose inertia is farthest below the line between the ends of the curve."""
    if len(ks) < 3 or inertia[0] <= inertia[-1]:
        return None
    along = (ks - ks[0]) / (ks[-1] - ks[0])
    below = 1 - along - (inertia - inertia[-1]) / (inertia[0] - inertia[-1])
    return int(ks[below.argmax()]) if below.max() > 0 else None


def _highest(ks: np.ndarray, values: np.ndarray) -> int | None:
    """Return the k with the highest value; on a tie, the largest k."""
    if np.isnan(values).all():
        return None
    return int(ks[np.flatnonzero(values == np.nanmax(values))[-1]])


def _first_gap(ks: np.ndarray, gap: np.ndarray, error: np.ndarray) -> int | None:
    enough = np.flatnonzero(gap[:-1] >= gap[1:] - error[1:])
    return int(ks[enough[0]]) if len(enough) else None


def _sentence(names: list[str], what: str) -> str:
    several = len(names) > 1
    subject = f"{', '.join(names[:-1])} and {names[-1]}" if several else names[0]
    return f"{subject[0].upper()}{subject[1:]} suggest{'' if several else 's'} {what}."
