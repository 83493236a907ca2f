"""Compare partial k-medoids with FasterPAM, alternation and affinity propagation."""

from __future__ import annotations

import argparse
import functools
import importlib
import inspect
import platform
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version

import numba
import numpy as np
import psutil
import sklearn
from common import HERE, Pieces, Report, exponent, median, needed, process, progress, reached
from matrices import in_the_plane, road_distances
from threadpoolctl import threadpool_limits

import prviz
from prviz import Level, baselines
from prviz.datasets import DataUnavailable
from prviz.search.settings import make_schedule
from prviz.search.traced_search import TracedSearch

sys.path.remove(str(HERE))  # otherwise this file hides the package kmedoids
peer = importlib.import_module("kmedoids")

DATA = {"faces900": prviz.datasets.faces900, "digits900": prviz.datasets.digits900}
M_1 = 500_000  # the paper's

# ---- contenders --------------------------------------------------------------------------------

AFFINITY = "scikit-learn: affinity propagation"
PEER_ALTERNATING = "kmedoids: alternating, restarts"
FASTERPAM = "kmedoids: FasterPAM, restarts"
RESTARTS, PARTIAL, THREE = "alternate, restarts", "alternate, partial", "alternate, three levels"
SWAP_RESTARTS, SWAP = "swap, restarts", "swap, partial"
LOCAL, LOCAL_THREE = (
    f"alternate, {levels}, local sub-sets" for levels in ("partial", "three levels")
)
SWAP_LOCAL, SWAP_THREE = (
    f"swap, {levels}, local sub-sets" for levels in ("partial", "three levels")
)

PEERS = {
    PEER_ALTERNATING: (peer.alternating, "n_iter", {}),
    FASTERPAM: (peer.fasterpam, "n_swap", {"n_cpu": 1}),
}
#: Levels below the top level.
OURS = {
    RESTARTS: ("alternate", []),
    PARTIAL: ("alternate", [Level(1, M_1)]),
    THREE: ("alternate", [Level(1, 100_000), Level(4, 100_000)]),
    LOCAL: ("alternate", [Level(1, M_1, subset="local")]),
    LOCAL_THREE: (
        "alternate",
        [Level(1, 10_000, subset="local"), Level(4, 100_000, subset="local")],
    ),
    SWAP_RESTARTS: ("swap", []),
    SWAP: ("swap", [Level(1, M_1)]),
    SWAP_LOCAL: ("swap", [Level(1, M_1, subset="local")]),
    SWAP_THREE: ("swap", [Level(1, 1000, subset="local"), Level(4, 100_000, subset="local")]),
}
SEARCHES = (*PEERS, *OURS)


def run(search: str, matrix, k: int, seed: int, seconds: float) -> dict:
    """Run a search for this many CPU seconds."""
    if search in PEERS:
        return restarts_of_peer(*PEERS[search], matrix, k, seed, seconds)
    optimiser, below = OURS[search]
    problem = prviz.kmedoids(matrix, k, optimiser)
    schedule = make_schedule(problem, levels=[*below, Level(k)])
    recorded = TracedSearch(problem, schedule, seed)
    while recorded.seconds < seconds:
        recorded.step(seconds=min(0.25, seconds - recorded.seconds))
    trace = recorded.trace()
    return progress(trace.best, trace.seconds, trace.iterations)


def restarts_of_peer(
    method: Callable, iterations: str, options: dict, matrix, k: int, seed: int, seconds: float
) -> dict:
    """Restart until the time is over. Our cost computation is not timed."""
    random_state = np.random.RandomState(seed)
    calls, spent, best = [], 0.0, np.inf
    while spent < seconds:
        began = time.thread_time()
        found = method(matrix, k, max_iter=10_000, random_state=random_state, **options)
        spent += time.thread_time() - began
        best = min(best, float(matrix[:, found.medoids].min(axis=1).sum(dtype=np.float64)))
        calls.append((best, spent, getattr(found, iterations)))
    return progress(*np.array(calls).T)


def together(found: dict, prefix: str) -> list[dict]:
    return [piece for name, piece in found.items() if name.startswith(prefix)]


def percent(gap: float) -> str:
    """Format a gap in per cent of the best cost."""
    if not np.isfinite(gap):
        return "–"
    return "0" if gap < 5e-7 else f"{100 * gap:.2g}" if gap < 1e-3 else f"{100 * gap:.3g}"


def rounded(value: float, style: str) -> str:
    return format(value, style) if np.isfinite(value) else "–"


# ---- 1. the paper's data -----------------------------------------------------------------------

SECONDS = (0.01, 0.1, 1.0, 10.0)
PROTOTYPE = {
    PEER_ALTERNATING: "14.9 / 13.5 / 12.2 / 11.7",
    FASTERPAM: ".27 / .19 / .074 / .047",
    AFFINITY: "– / – / – / .21",
    RESTARTS: "12.4 / 11.5 / 10.6 / 9.9",
    PARTIAL: ".82 / .20 / .114 / .041",
    THREE: ".82 / .20 / .080 / .013",
    SWAP_RESTARTS: ".26 / .14 / .077 / .048",
    SWAP: ".14 / .041 / .037 / .003",
    SWAP_LOCAL: ".13 / .029 / 0 / 0",
    **dict.fromkeys((LOCAL, LOCAL_THREE, SWAP_THREE), "–"),
}
PARTIAL_GOALS = (0.0082, 0.0020, 0.00114, 0.00041)


def affinity(matrix, k: int, seed: int) -> dict:
    """Run affinity propagation with one preference after another until one gives k clusters."""
    tries = [0.0]
    found = baselines.affinity_propagation(
        matrix, k, seed=seed, callback=lambda one: tries.append(one.seconds)
    )
    return {
        "cost": found.cost,
        "preference": found.preference,
        "tries": found.n_tries,
        "seconds": found.seconds,
        "last": tries[-1] - tries[-2],
        "converged": found.converged,
    }


def set_up(matrix, k: int) -> dict:
    """Return the seconds to build the problem: checks and lookup tables."""
    began = time.thread_time()
    prviz.kmedoids(matrix, k, "swap")
    return {"seconds": time.thread_time() - began}


def plan_pictures(matrix, k: int, seeds: int) -> dict[str, Callable]:
    plan = {}
    for seed in range(seeds):
        if seed < 3:
            plan[f"set-up/{seed}"] = functools.partial(set_up, matrix, k)
            plan[f"affinity/{seed}"] = functools.partial(affinity, matrix, k, seed)
        for search in SEARCHES:
            plan[f"pictures/{search}/{seed}"] = functools.partial(
                run, search, matrix, k, seed, SECONDS[-1]
            )
    return plan


def lowest(found: dict, prefix: str) -> float:
    return min(piece["cost"][-1] for piece in together(found, prefix))


def report_pictures(report: Report, found: dict, data) -> None:
    """Tabulate the gap to the best cost after equal times."""
    best, note = best_of(found, data)
    made = median(piece["seconds"] for piece in together(found, "set-up/"))
    prototype = PROTOTYPE if data.best_known else dict.fromkeys(PROTOTYPE, "–")
    rows = []
    for search in SEARCHES:
        pieces = together(found, f"pictures/{search}/")
        gaps, work = standing(pieces, SECONDS, best)
        rows.append([search, *gaps, prototype[search], *work])
    once = together(found, "affinity/")
    gap, ended = median(p["cost"] for p in once) / best - 1, median(p["seconds"] for p in once)
    gaps = [percent(gap) if ended <= seconds else "–" for seconds in SECONDS]
    rows.insert(len(PEERS), [AFFINITY, *gaps, prototype[AFFINITY], 1, "–"])
    report.table(
        f"{data.name}: gap to the best cost, in per cent, median of {len(pieces)} seeds",
        ["search", *(f"{s:g} s" for s in SECONDS), "goals (a prototype's gaps)",
         f"calls in {SECONDS[-1]:g} s", "iterations a call"],
        rows,
        f"{note} Partial: k₁ = 1, M₁ = {M_1}. Three levels: k₁ = 1, k₂ = 4, M₁ = M₂ = "
        f"100000; with local sub-sets M₁ = 10000 (alternate) or 1000 (swap). These "
        f"settings were the best of 14 (alternate) or 5 (swap), compared on these data and partly "
        f"on these seeds. An iteration of swap and of FasterPAM is one exchange. Building the "
        f"problem takes "
        f"{1e3 * made:.0f} ms once, not counted.",
    )  # fmt: skip


def standing(pieces: list[dict], times: Sequence[float], best: float) -> tuple[list, list]:
    """Return table cells: median gaps at ``times``, total calls, iterations per call."""
    gaps = [median(reached(piece, seconds) for piece in pieces) / best - 1 for seconds in times]
    calls, iterations = (
        median(p["total"][work] for p in pieces) for work in ("calls", "iterations")
    )
    return [percent(gap) for gap in gaps], [f"{calls:.0f}", f"{iterations / calls:.1f}"]


CALLS = (10, 100, 1000, 10_000, 100_000)


def report_work(report: Report, found: dict, data) -> None:
    """Tabulate the gap after equal numbers of calls."""
    best, _ = best_of(found, data)
    rows = []
    for search in SEARCHES:
        pieces = together(found, f"pictures/{search}/")
        made = median(piece["total"]["calls"] for piece in pieces)
        gaps = [median(reached(p, calls, "calls") for p in pieces) / best - 1 for calls in CALLS]
        rows.append([search, *(percent(gap) if calls <= made else "–"
                               for gap, calls in zip(gaps, CALLS, strict=True))])  # fmt: skip
    report.table(
        f"{data.name}: gap to the best cost after equally many calls",
        ["search", *(str(calls) for calls in CALLS)],
        rows,
    )


def best_of(found: dict, data) -> tuple[float, str]:
    """Return the lowest cost, known or new, and a sentence about it."""
    now = lowest(found, "pictures/")
    if data.best_known is None:
        return now, f"The best cost is the lowest found here, {now:.2f}."
    if now < data.best_known - 0.01:
        return now, f"{now:.2f} was found here, below the previously best known cost, "
        f"{data.best_known:.2f}."
    return data.best_known, f"The best cost known is {data.best_known:.2f}; here: {now:.2f}."


def report_goals(report: Report, found: dict, data) -> None:
    best, _ = best_of(found, data)
    of = {search: together(found, f"pictures/{search}/") for search in SEARCHES}
    level = median(reached(piece, SECONDS[-1]) for piece in of[FASTERPAM])
    rows = [
        [
            f"{SWAP}: seconds until the gap that FasterPAM has after 10 s, "
            f"{percent(level / best - 1)} %",
            "≤ 0.1",
            rounded(median(needed(piece, level) for piece in of[SWAP]), ".3f"),
        ],
    ]
    for search in (PARTIAL, LOCAL, LOCAL_THREE):
        gaps = [median(reached(p, s) for p in of[search]) / best - 1 for s in SECONDS]
        kept = [s for s, gap, goal in zip(SECONDS, gaps, PARTIAL_GOALS, strict=True)
                if gap < goal + 5e-6]  # fmt: skip
        met = f"at {', '.join(f'{s:g}' for s in kept)} s" if kept else "never"
        rows.append([f"{search}: as good as the prototype", "at every time", met])
    for search in (SWAP_LOCAL, SWAP_THREE):
        seconds = [needed(piece, best + 0.01) for piece in of[search]]
        solved = f"{sum(s <= 1.0 for s in seconds)} of {len(seconds)}"
        rows.append(
            [f"{search}: seconds until the best cost", "≤ 0.3", rounded(median(seconds), ".2f")]
        )
        rows.append(["seeds with the best cost within 1 s", "all", solved])
    report.table(f"{data.name}: goals, medians", ["what", "goal", "measured"], rows)


def report_affinity(report: Report, found: dict, data) -> None:
    """Tabulate which searches overtake affinity propagation, as in the paper's figure, and when."""
    once = together(found, "affinity/")
    cost, seconds = median(p["cost"] for p in once), median(p["seconds"] for p in once)
    rows = []
    for search in SEARCHES:
        pieces = together(found, f"pictures/{search}/")
        below = np.nextafter(cost, 0)
        passed = sum(reached(piece, SECONDS[-1]) < cost for piece in pieces)
        ahead = sum(reached(piece, seconds) < cost for piece in pieces)
        rows.append(
            [
                search,
                f"{ahead} of {len(pieces)}",
                f"{passed} of {len(pieces)}",
                rounded(median(needed(p, below) for p in pieces), ".3f"),
                rounded(median(needed(p, below, "calls") for p in pieces), ".0f"),
                rounded(median(needed(p, below, "iterations") for p in pieces), ".0f"),
            ]
        )
    one = once[0]
    report.table(
        f"{data.name}: when searches overtake affinity propagation",
        ["search", f"ahead when it ends, {seconds:.1f} s", "ahead after 10 s",
         "median CPU s to overtake", "calls", "iterations"],
        rows,
        f"Affinity propagation: cost {cost:.1f} at preference {one['preference']:.2f}, "
        f"{one['tries']} preferences tried in {seconds:.1f} s, of which the last took "
        f"{median(p['last'] for p in once):.1f} s"
        + ("." if all(p["converged"] for p in once) else "; it did not converge."),
    )  # fmt: skip


#: Parts of a call, each timed alone or by a sampling profiler, on a busy machine.
PARTS = (
    (
        "alternate, partial",
        "5.4 → 2.4 in steady state, 7.3 → 3.5 in the first 3000 calls; of the 2.4: draws 0.25, "
        "nearest medoids 1.0, best medoids 0.5, a second iteration 0.5, checkpoint 0.1, "
        "time checks 0.03",
        "remembering clusters, exact sums, cheaper time checks: 50 %; arrays held in registers, "
        "shorter searches for the nearest medoid: 0 %",
        "the goals at 0.01 and 0.1 s need 9000 and 120000 calls, so a call may take only 1 µs. A "
        "call looks up 6.6 clusters and reads a row of 3.6 kB for each medoid that moves (1.4 per "
        "call); the matrix has 3.2 MB, the CPU cache 1 MB",
    ),
    (
        "swap, local sub-sets",
        "56 → 37 for a call of 8.2 exchanges; each computes the cost of 5.3 clusters of 7.8 "
        "points (a third of the time), tries 4.9 candidates (a quarter) and updates labels (a "
        "quarter)",
        "exact sums and cheaper time checks: 15 %; 64 comparisons at once: 20 %",
        "each candidate reads a row of 3.6 kB, and four in five do not help. Excluding them needs "
        "bounds for all 121 × 900 exchanges",
    ),
)


def report_parts(report: Report) -> None:
    report.table(
        "Where the time goes, and why goals are missed",
        ["search", "µs", "tried, and its gain", "bound"],
        PARTS,
    )


# ---- 2. p-medians of graphs --------------------------------------------------------------------

#: n and p of six of OR-Library's graphs pmed1 to pmed40.
GRAPHS = ((100, 33), (300, 10), (400, 40), (500, 167), (700, 140), (900, 90))
GRAPH_SECONDS = (0.1, 1.0)
ON_GRAPHS = tuple(
    search for search in SEARCHES if search not in (RESTARTS, THREE, LOCAL_THREE, SWAP_THREE)
)


def on_graph(search: str, n: int, p: int, seed: int) -> dict:
    return run(search, road_distances(n), p, seed, GRAPH_SECONDS[-1])


def plan_graphs(seeds: int) -> dict[str, Callable]:
    return {
        f"graph {n}, {p}/{search}/{seed}": functools.partial(on_graph, search, n, p, seed)
        for n, p in GRAPHS
        for seed in range(seeds)
        for search in ON_GRAPHS
    }


def report_graphs(report: Report, found: dict) -> None:
    rows = []
    for n, p in GRAPHS:
        best = lowest(found, f"graph {n}, {p}/")
        for search in ON_GRAPHS:
            pieces = together(found, f"graph {n}, {p}/{search}/")
            gaps, work = standing(pieces, GRAPH_SECONDS, best)
            solved = sum(reached(piece, GRAPH_SECONDS[-1]) == best for piece in pieces)
            graph = f"{n}, {p}" if search == ON_GRAPHS[0] else ""
            rows.append([graph, search, *gaps, f"{solved} of {len(pieces)}", *work])
    report.table(
        f"p-medians of random graphs: gap to the best, in per cent, median of {len(pieces)} seeds",
        ["n, p", "search", *(f"{s:g} s" for s in GRAPH_SECONDS), "reached the best",
         f"calls in {GRAPH_SECONDS[-1]:g} s", "iterations a call"],
        rows,
        "New graphs generated as in Beasley (1985). The best cost is the lowest that any of these "
        "searches found.",
    )  # fmt: skip


# ---- 3. growth ---------------------------------------------------------------------------------

GROWTH = (500, 1000, 2000, 5000, 10_000)  # numbers of points, with 20 points per medoid
BYTES = 24  # bytes per entry of the matrix, with all temporary copies


def grown(n: int, optimiser: str) -> dict:
    """Run n / 20 partial calls after a restart: on average one per medoid."""
    k = n // 20
    problem = prviz.kmedoids(in_the_plane(n), k, optimiser)
    search = TracedSearch(problem, make_schedule(problem, k1=1, m1=10**9))
    while search.calls <= k:
        search.step(calls=k + 1 - search.calls)
    trace = search.trace()
    seconds = np.diff(trace.seconds)
    return {
        "restart": float(trace.seconds[0]),
        "median": float(np.median(seconds)),
        "mean": float(seconds.mean()),
        "iterations": float(trace.iterations[1:].mean()),
    }


def sizes_of(scale: float) -> list[int]:
    there = psutil.virtual_memory().available
    return [n for n in GROWTH if BYTES * n * n < there and (scale >= 1 or n <= 2000)]


def plan_growth(sizes: Sequence[int]) -> dict[str, Callable]:
    return {
        f"growth {optimiser}/{n}": functools.partial(grown, n, optimiser)
        for n in sizes
        for optimiser in ("alternate", "swap")
    }


def report_growth(report: Report, found: dict, sizes: Sequence[int]) -> None:
    rows, notes = [], []
    for optimiser in ("alternate", "swap"):
        pieces = [found[f"growth {optimiser}/{n}"] for n in sizes]
        rows += [
            [
                f"{n}, {n // 20}",
                optimiser,
                f"{1e6 * piece['median']:.0f}",
                f"{1e6 * piece['mean']:.0f}",
                f"{piece['iterations']:.1f}",
                f"{1e3 * piece['restart']:.1f}",
            ]
            for n, piece in zip(sizes, pieces, strict=True)
        ]
        of = {
            what: exponent(sizes, [p[what] for p in pieces])
            for what in ("median", "mean", "restart")
        }
        notes.append(
            f"{optimiser}: median {of['median']:.2f}, mean {of['mean']:.2f}, "
            f"restart {of['restart']:.2f}"
        )
    left_out = [n for n in GROWTH if n not in sizes]
    report.table(
        "Time of a partial call as the data grow, k₁ = 1",
        ["n, k", "optimiser", "median µs", "mean µs", "iterations", "restart, ms"],
        rows,
        f"Exponents of n: {'; '.join(notes)}. For comparison, the number of distances to medoids, "
        "n · k, grows as n². Random points in a square, float32; k calls after a restart."
        + (f" Left out: n = {', '.join(map(str, left_out))}." if left_out else ""),
    )


# ------------------------------------------------------------------------------------------------

WARM = """
import numpy as np, prviz
from prviz.search.traced_search import TracedSearch
from prviz.search.settings import make_schedule
matrix = prviz.dissimilarity(np.arange(12.0)[:, None]).astype(np.float32)
for optimiser in ("alternate", "swap"):
    problem = prviz.kmedoids(matrix, 3, optimiser)
    TracedSearch(problem, make_schedule(problem, 1)).step(calls=3)
print(0)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", choices=DATA, default="faces900")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the repeats to run")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    scale = options.scale
    try:
        data = DATA[options.data]()
    except DataUnavailable as why:
        raise SystemExit(f"{why} Or run this with --data digits900.") from None
    seeds, sizes = max(2, round(10 * scale)), sizes_of(scale)
    matrix = prviz.dissimilarity(data.points, "sqeuclidean").astype(np.float32)

    settings = {
        "data": options.data,
        "scale": scale,
        "baseline": inspect.getsource(baselines.affinity),
    }
    pieces = Pieces("kmedoids", settings, options.fresh)
    process(WARM)
    with threadpool_limits(1):
        for search in SEARCHES:  # load the compiled kernels
            run(search, matrix, data.n_clusters, 0, 1e-6)
        found = pieces.measure(
            plan_pictures(matrix, data.n_clusters, seeds) | plan_graphs(seeds) | plan_growth(sizes)
        )

    report = Report(
        f"k-medoids on {data.name}",
        f"n = {len(matrix)}, k = {data.n_clusters}; CPU time of one core, contenders in turns, "
        f"float32. `--scale {scale:g}`. Python {platform.python_version()}, numpy "
        f"{np.__version__}, numba {numba.__version__}, scikit-learn {sklearn.__version__}, "
        f"kmedoids {version('kmedoids')}.",
    )
    report_pictures(report, found, data)
    report_work(report, found, data)
    if data.best_known is not None:
        report_goals(report, found, data)
        report_parts(report)
    report_affinity(report, found, data)
    report_graphs(report, found)
    report_growth(report, found, sizes)
    report.write("kmedoids")


if __name__ == "__main__":
    main()
