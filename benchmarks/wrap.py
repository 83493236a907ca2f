"""Measure the overhead of the search around wrapped Python functions.

The goal is at most 30 µs a call with two levels. The functions do almost nothing, and their own
time is subtracted. Then Rastrigin's function, compiled by Numba, is called from Python, and inside
the compiled search (``jit=True``).
"""

from __future__ import annotations

import math
import statistics
import time

import numba
import numpy as np
from common import Report

import prviz

GOAL = 30.0  # µs a call
CALLS, REPEATS = 10_000, 5
MANY = 200_000  # calls if the functions are compiled
CASES = {"N = 10, k₁ = 1": (10, 1), "N = 100, k₁ = 3": (100, 3), "N = 1000, k₁ = 10": (1000, 10)}


def functions(n: int):
    low = np.zeros(n)

    def cost(x):
        return float(x[0])

    def sample(rng):
        return rng.random(n) + low

    def optimise(x):
        return x

    return cost, sample, optimise


def alone(n: int) -> float:
    """Return the seconds of the functions alone, with the same number of calls as in a search."""
    cost, sample, optimise = functions(n)
    rng = np.random.default_rng(0)
    began = time.thread_time()
    for _ in range(CALLS):
        cost(optimise(sample(rng)))
    return time.thread_time() - began


def overhead(n: int, k: int) -> float:
    """Return the overhead of the search in microseconds a call."""
    problem = prviz.wrap(*functions(n))
    run = prviz.run(problem, k1=k, m1=1000, calls=CALLS)
    return (run.seconds - alone(n)) / CALLS * 1e6


@numba.njit(nogil=True)
def rastrigin(x):
    total = 0.0
    for each in x:
        total += each * each + 10.0 * (1.0 - math.cos(2.0 * math.pi * each))
    return total


@numba.njit(nogil=True)
def within_box(rng):
    return rng.uniform(-5.12, 5.12, 10)


@numba.njit(nogil=True)
def ten_steps(x):
    for _ in range(10):
        for i in range(len(x)):
            slope = 2.0 * x[i] + 20.0 * math.pi * math.sin(2.0 * math.pi * x[i])
            x[i] -= slope / (2.0 + 40.0 * math.pi**2)


def compiled() -> list[list[str]]:
    """Measure a call from Python, a call inside the compiled search, and the compilation."""
    three = rastrigin, within_box, ten_steps
    began = time.perf_counter()
    inside = prviz.wrap(*three, jit=True)
    prviz.run(inside, k1=1, calls=1)
    seconds = time.perf_counter() - began
    called = prviz.wrap(*three)
    traces = {prviz.run(each, k1=1, calls=1000).trace.hash() for each in (called, inside)}
    assert len(traces) == 1
    rows = []
    for name, problem, calls in (("called by Python", called, CALLS), ("jit=True", inside, MANY)):
        found = sorted(
            prviz.run(problem, k1=1, m1=1000, calls=calls).seconds / calls for _ in range(REPEATS)
        )
        told = f"{1e6 * statistics.median(found):.1f}"
        span = f"{1e6 * found[0]:.1f}–{1e6 * found[-1]:.1f}"
        per_second = f"{1 / statistics.median(found):,.0f}".replace(",", " ")
        rows.append([name, told, span, per_second, f"{seconds:.1f}" if problem is inside else "–"])
    return rows


def main() -> None:
    prviz.run(prviz.wrap(*functions(3)), calls=10)  # load the compiled functions
    report = Report(
        "Wrapped functions",
        f"CPU time, medians of {REPEATS} runs of {CALLS} calls ({MANY} with jit=True), with "
        f"minimum and maximum; two levels, M₁ = 1000.",
    )
    rows = []
    for name, (n, k) in CASES.items():
        found = sorted(overhead(n, k) for _ in range(REPEATS))
        middle = statistics.median(found)
        met = "met" if middle <= GOAL else "missed"
        rows.append([name, f"{middle:.1f}", f"{found[0]:.1f}–{found[-1]:.1f}", f"{GOAL:g}: {met}"])
    report.table("Overhead of the search", ["case", "µs a call", "", "goal"], rows)
    report.table(
        "Functions compiled by Numba: Rastrigin in 10 dimensions, ten steps downhill a call",
        ["", "µs a call, functions included", "", "calls a second", "compiling, s"],
        compiled(),
        "Both rows have the same trace.",
    )
    report.write("wrap")


if __name__ == "__main__":
    main()
