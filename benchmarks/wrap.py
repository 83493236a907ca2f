"""What the search takes beside wrapped Python functions: at most 30 µs a call, two levels.

The functions are as cheap as can be, and their own time is taken off: python benchmarks/wrap.py
"""

from __future__ import annotations

import statistics
import time

import numpy as np

import prviz

GOAL = 30.0  # µs a call
CALLS, REPEATS = 10_000, 5
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
    """Seconds of the functions by themselves, as often as a search asks for them."""
    cost, sample, optimise = functions(n)
    rng = np.random.default_rng(0)
    began = time.thread_time()
    for _ in range(CALLS):
        cost(optimise(sample(rng)))
    return time.thread_time() - began


def overhead(n: int, k: int) -> float:
    """Microseconds a call of the search, without the functions."""
    problem = prviz.wrap(*functions(n))
    run = prviz.run(problem, k1=k, m1=1000, calls=CALLS)
    return (run.seconds - alone(n)) / CALLS * 1e6


def main() -> None:
    prviz.run(prviz.wrap(*functions(3)), calls=10)  # what is compiled is loaded
    for name, (n, k) in CASES.items():
        found = sorted(overhead(n, k) for _ in range(REPEATS))
        print(
            f"{name}: {statistics.median(found):.1f} µs a call ({found[0]:.1f}–{found[-1]:.1f}), "
            f"goal {GOAL:g}: {'met' if found[REPEATS // 2] <= GOAL else 'missed'}"
        )


if __name__ == "__main__":
    main()
