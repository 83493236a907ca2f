"""k-means in many dimensions: a partial call and a full restart against a restart of scikit-learn.

Four sets, of 8 to 64 dimensions. One piece is a restart of scikit-learn and some partial calls and
restarts of ours, one after another on one core; the ratios of their medians count, and their
intervals are bootstrapped over pieces. Then the same searches get equal CPU time.
"""

from __future__ import annotations

import argparse
import functools
import os
import platform
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numba
import numpy as np
import sklearn
from common import Pieces, Report, median, process, times
from sklearn import datasets as bundled
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

import prviz
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

#: Clusters, and the goal for a partial call.
SETS = {
    "digits, 1797 × 64": (10, 10),
    "blobs, 5000 × 8": (30, 40),
    "blobs, 20000 × 16": (50, 40),
    "Gauss, 20000 × 32": (100, 30),
}
RESTART_GOAL = 2
#: Blobs of this width in a cube of side 20 overlap a little, so that there are poor optima.
SPREAD = 3.0
SEARCHES = {
    "k-means++ restarts of scikit-learn": None,
    "own k-means++ restarts": ("random", None),
    "partial, random": ("random", 1),
    "partial, tournament": ("tournament", 1),
}
#: What the profile showed when the kernels were written.
PROFILE = (
    "In turns with the kernels before, the same traces: a partial call takes 1.2 / 1.1 / 1.15 / "
    "1.2 times less (sets in their order, medians of three rounds of 100 calls), a restart 1.2 / "
    "1.1 / 1.2 / 1.1. What was gained: a checkpoint copies only points that differ, blocks get "
    "room once for all that is to come, and a centre that stayed is not compared with where it "
    "was. All goals of partial calls are missed, and that of restarts on digits. What stands in "
    "the way, counted inside the kernel: "
    "in an iteration of a partial call, 1500 / 3400 / 9600 / 13400 points lose their slack, as "
    "the centre that was redrawn leaps and is near every cluster. Each is fetched (256 / 32 / 64 "
    "/ 128 bytes), turned, and compared with its own centre and the 5 / 7 / 7 / 32 that have "
    "moved; then 175 / 450 / 1460 / 2600 of them with all centres, 0.1 to 1.3 of those in double "
    "precision. That is 55 / 40 / 132 / 486 µs an iteration, where the goals leave 22 / 12 / 64 / "
    "423. Tried and not kept: points out of reach of all that moved get back the slack that they "
    "paid for it, which is 1.2 times less on blobs of 16 dimensions, 1.06 of 8 and nothing on the "
    "other sets, for a distance more a point; a bound for each point and centre (Elkan), which "
    "needs an eighth of the scores and takes 1.2 to 2.3 times as long; centres that leap faced "
    "alone, or first: up to a fifth longer; before that, without a clear gain, a duel only where "
    "at most half of the centres moved, looking around earlier or later than at half of the last "
    "move, points gathered by number, turning them number by number."
)
WARM = """
import numpy, prviz
points = numpy.random.default_rng(0).normal(size=(200, 5))
for init in ("forgy", "k-means++"):
    prviz.run(prviz.kmeans(points, 4, init), k1=1, m1=5, calls=12)
print(0)
"""


@functools.lru_cache(maxsize=1)
def points(name: str) -> np.ndarray:
    kind, shape = name.split(", ")
    n, d = map(int, shape.split(" × "))
    if kind == "digits":
        return bundled.load_digits().data
    if kind == "Gauss":
        return np.random.default_rng(0).normal(size=(n, d)).round(6)
    k = SETS[name][0]
    return bundled.make_blobs(n, d, centers=k, cluster_std=SPREAD, random_state=0)[0].round(6)


def restart_of_sklearn(X, k: int, random_state) -> tuple[float, KMeans]:
    model = KMeans(
        k, n_init=1, tol=0, max_iter=10_000, algorithm="lloyd", random_state=random_state
    )
    began = time.process_time()
    model.fit(X)
    return time.process_time() - began, model


def in_turns(name: str, seed: int, calls: int = 30, restarts: int = 3) -> dict:
    """Restarts of scikit-learn and of ours, and the first partial calls after one of Forgy's."""
    X, (k, _) = points(name), SETS[name]
    partial = prviz.kmeans(X, k)
    partial = TracedSearch(partial, make_schedule(partial, k1=1, m1=10**9), seed)
    partial.step(calls=1)
    full = prviz.kmeans(X, k, "k-means++")
    full = TracedSearch(full, make_schedule(full, k1="all"), seed)
    theirs, their_iterations = [], []
    with threadpool_limits(1):
        for turn in range(restarts):
            seconds, model = restart_of_sklearn(X, k, restarts * seed + turn)
            theirs.append(seconds)
            their_iterations.append(int(model.n_iter_))
            _to(partial, 1 + calls * (turn + 1) // restarts)
            _to(full, turn + 1)
    one, other = partial.trace(), full.trace()
    return {
        "theirs": theirs,
        "partial": np.diff(one.seconds).tolist(),
        "full": np.diff(other.seconds, prepend=0.0).tolist(),
        "their iterations": their_iterations,
        "partial iterations": one.iterations[1:].tolist(),
        "full iterations": other.iterations.tolist(),
    }


def _to(search: TracedSearch, calls: int) -> None:
    while search.calls < calls:
        search.step(calls=calls - search.calls)


def in_equal_time(name: str, search: str, seed: int, limit: float) -> dict:
    """The least cost found in so much CPU time."""
    X, (k, _) = points(name), SETS[name]
    if SEARCHES[search] is None:
        random_state = np.random.RandomState(seed)
        best, used = np.inf, 0.0
        with threadpool_limits(1):
            while used < limit:
                seconds, model = restart_of_sklearn(X, k, random_state)
                used += seconds
                if used <= limit or best == np.inf:
                    best = min(best, float(model.inertia_))
        return {"cost": best}
    subset, k1 = SEARCHES[search]
    problem = prviz.kmeans(X, k, "forgy" if k1 else "k-means++")
    schedule = make_schedule(problem, k1=k1 or "all", m1=1000 if k1 else None, subset=subset)
    ours = TracedSearch(problem, schedule, seed)
    while ours.seconds < limit:
        ours.step(seconds=0.1)
    trace = ours.trace()
    return {"cost": float(trace.best[max(0, int((trace.seconds <= limit).sum()) - 1)])}


def interval(pieces: list[dict], what: str) -> tuple[float, float]:
    """95 % interval of the ratio of medians: pieces drawn again with replacement."""
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(1000):
        drawn = [pieces[i] for i in rng.integers(0, len(pieces), len(pieces))]
        ratios.append(_medians(drawn, "theirs") / _medians(drawn, what))
    return tuple(np.quantile(ratios, (0.025, 0.975)))


def _medians(pieces: list[dict], what: str) -> float:
    return float(np.median(np.concatenate([piece[what] for piece in pieces])))


def report_calls(report: Report, found: dict) -> None:
    rows = []
    for name, (k, goal) in SETS.items():
        pieces = [piece for key, piece in found.items() if key.startswith(f"call/{name}/")]
        for what, title, least in (
            ("theirs", "restart of scikit-learn", None),
            ("full", "restart of ours, k-means++", RESTART_GOAL),
            ("partial", "partial call, k_1 = 1", goal),
        ):
            low, high = interval(pieces, what)
            numbers = [x for piece in pieces for x in piece[what]]
            iterations = [
                x for p in pieces for x in p[f"{what.replace('theirs', 'their')} iterations"]
            ]
            ratio = _medians(pieces, "theirs") / np.median(numbers)
            rows.append(
                [
                    f"{name}, k = {k}",
                    title,
                    f"{1000 * np.median(numbers):.2f}",
                    f"{np.mean(iterations):.1f}",
                    len(numbers),
                    "–" if least is None else f"≥ {least}×",
                    "1×" if least is None else times(ratio),
                    "–" if least is None else f"{low:.1f} … {high:.1f}",
                ]
            )  # fmt: skip
    report.table(
        "One call",
        ["data", "call", "median ms", "iterations", "n", "goal", "cheaper", "95 %"],
        rows,
        "How many times cheaper than a restart of scikit-learn. Intervals are bootstrapped over "
        "pieces, a seed each. " + PROFILE,
    )


def report_gaps(report: Report, found: dict, limit: float) -> None:
    rows = []
    for name in SETS:
        costs = {
            search: [
                p["cost"] for key, p in found.items() if key.startswith(f"gap/{name}/{search}/")
            ]
            for search in SEARCHES
        }
        best = min(min(values) for values in costs.values())
        for search, values in costs.items():
            gaps = [100 * (value / best - 1) for value in values]
            rows.append(
                [
                    name,
                    search,
                    f"{median(gaps):.2f}",
                    f"{min(gaps):.2f} … {max(gaps):.2f}",
                    len(gaps),
                ]
            )
    report.table(
        f"Gap to the least cost that any search found, after {limit:g} s of CPU time",
        ["data", "search", "median %", "least … most", "n"],
        rows,
        "Partial searches redraw one centre, M_1 = 1000, and start from Forgy's.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the repeats to make")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    seeds, limit = max(3, int(10 * options.scale)), 4.0
    process(WARM)
    plan = {
        f"call/{name}/{seed}": functools.partial(in_turns, name, seed)
        for name in SETS
        for seed in range(seeds)
    }
    plan |= {
        f"gap/{name}/{search}/{seed}": functools.partial(in_equal_time, name, search, seed, limit)
        for name in SETS
        for seed in range(max(2, seeds // 2))
        for search in SEARCHES
    }
    found = Pieces("dimensions", {"scale": options.scale}, options.fresh).measure(plan)
    report = Report(
        "k-means in many dimensions",
        f"CPU time of one core, contenders in turns. Scale {options.scale:g}. Python "
        f"{platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}, "
        f"scikit-learn {sklearn.__version__} (greedy k-means++, tol=0, one thread).",
    )
    report_calls(report, found)
    report_gaps(report, found, limit)
    report.write("dimensions")


if __name__ == "__main__":
    main()
