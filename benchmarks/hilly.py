"""Define functions with many local optima, and their gradients; count evaluations of both.

Sources: Surjanovic and Bingham, Virtual Library of Simulation Experiments; energies of
Lennard-Jones clusters by Wales and Doye 1997, J. Phys. Chem. A 101, 5111.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numba
import numpy as np

#: Squared distance below which the repulsion is constant, because two atoms can meet at a bound.
CORE = 1e-2
#: Each coordinate of the minimum of Schwefel's function, and its depth per coordinate.
SCHWEFEL_AT, SCHWEFEL_DEPTH = 420.9687463599820, 418.98288727243369


@numba.njit
def rastrigin(x):
    return np.sum(x**2 + 10.0 * (1.0 - np.cos(2.0 * np.pi * x)))


@numba.njit
def rastrigin_slope(x):
    return 2.0 * x + 20.0 * np.pi * np.sin(2.0 * np.pi * x)


@numba.njit
def schwefel(x):
    return np.sum(SCHWEFEL_DEPTH - x * np.sin(np.sqrt(np.abs(x))))


@numba.njit
def schwefel_slope(x):
    root = np.sqrt(np.abs(x))
    return -np.sin(root) - 0.5 * root * np.cos(root)


@numba.njit
def griewank(x):
    product = 1.0
    for i in range(len(x)):
        product *= math.cos(x[i] / math.sqrt(i + 1.0))
    return np.sum(x**2) / 4000.0 - product + 1.0


@numba.njit
def griewank_slope(x):
    slope = x / 2000.0
    for j in range(len(x)):
        others = 1.0
        for i in range(len(x)):
            if i != j:
                others *= math.cos(x[i] / math.sqrt(i + 1.0))
        root = math.sqrt(j + 1.0)
        slope[j] += others * math.sin(x[j] / root) / root
    return slope


@numba.njit
def ackley(x):
    away = math.sqrt(np.mean(x**2))
    waves = math.exp(np.mean(np.cos(2.0 * np.pi * x)))
    return 20.0 * (1.0 - math.exp(-0.2 * away)) - waves + math.e


@numba.njit
def ackley_slope(x):
    away = math.sqrt(np.mean(x**2))
    waves = math.exp(np.mean(np.cos(2.0 * np.pi * x)))
    slope = 2.0 * np.pi * waves * np.sin(2.0 * np.pi * x) / len(x)
    if away > 0.0:  # the gradient does not exist at x = 0
        slope += 4.0 * math.exp(-0.2 * away) * x / (away * len(x))
    return slope


@numba.njit
def levy(x):
    """Return Levy's function, shifted so that the optimum is at 0 instead of 1."""
    w = x / 4.0
    u, last = np.pi * (w[:-1] + 1.0), w[-1]
    middle = np.sum(w[:-1] ** 2 * (1.0 + 10.0 * np.sin(u + 1.0) ** 2))
    end = last**2 * (1.0 + math.sin(2.0 * np.pi * last) ** 2)
    return math.sin(np.pi * (w[0] + 1.0)) ** 2 + middle + end


@numba.njit
def levy_slope(x):
    w = x / 4.0
    u, last = np.pi * (w[:-1] + 1.0), w[-1]
    slope = np.zeros(len(x))
    waves = 1.0 + 10.0 * np.sin(u + 1.0) ** 2
    slope[:-1] = 2.0 * w[:-1] * waves + w[:-1] ** 2 * 10.0 * np.pi * np.sin(2.0 * (u + 1.0))
    slope[0] += np.pi * math.sin(2.0 * np.pi * (w[0] + 1.0))
    turn = 2.0 * np.pi * last
    slope[-1] = 2.0 * last * (1.0 + math.sin(turn) ** 2)
    slope[-1] += last**2 * 2.0 * np.pi * math.sin(2.0 * turn)
    return slope / 4.0


@numba.njit
def rosenbrock(x):
    """Return Rosenbrock's function, shifted so that the optimum is at 0 instead of 1."""
    y = x + 1.0
    return np.sum(100.0 * (y[1:] - y[:-1] ** 2) ** 2 + x[:-1] ** 2)


@numba.njit
def rosenbrock_slope(x):
    y = x + 1.0
    slope = np.zeros(len(x))
    off = 200.0 * (y[1:] - y[:-1] ** 2)
    slope[1:] = off
    slope[:-1] += 2.0 * x[:-1] - 2.0 * off * y[:-1]
    return slope


@numba.njit
def lennard_jones(x):
    """Return the energy of atoms at x.reshape(-1, 3); a pair at its best distance has −1."""
    energy = 0.0
    for i in range(0, len(x), 3):
        for j in range(0, i, 3):
            r2 = (x[i] - x[j]) ** 2 + (x[i + 1] - x[j + 1]) ** 2 + (x[i + 2] - x[j + 2]) ** 2
            r2 = max(r2, CORE)
            inner = 1.0 / r2**3
            energy += 4.0 * inner * (inner - 1.0)
    return energy


@numba.njit
def lennard_jones_slope(x):
    slope = np.zeros(len(x))
    for i in range(0, len(x), 3):
        for j in range(0, i, 3):
            r2 = (x[i] - x[j]) ** 2 + (x[i + 1] - x[j + 1]) ** 2 + (x[i + 2] - x[j + 2]) ** 2
            r2 = max(r2, CORE)
            inner = 1.0 / r2**3
            force = 24.0 * inner * (1.0 - 2.0 * inner) / r2
            for axis in range(3):
                along = force * (x[i + axis] - x[j + axis])
                slope[i + axis] += along
                slope[j + axis] -= along
    return slope


class Case(NamedTuple):
    """Describe a function: value, gradient, half-width of the box, lowest known value."""

    name: str
    value: Callable
    slope: Callable
    n: int
    reach: float
    best: float = 0.0
    turned: bool = False
    atoms: bool = False
    moved: bool = True


FUNCTIONS = (
    ("Rastrigin", rastrigin, rastrigin_slope, 5.12),
    ("Schwefel", schwefel, schwefel_slope, 500.0),
    ("Griewank", griewank, griewank_slope, 600.0),
    ("Ackley", ackley, ackley_slope, 32.768),
    ("Levy", levy, levy_slope, 10.0),
    ("Rosenbrock", rosenbrock, rosenbrock_slope, 5.0),
    ("Rastrigin, turned", rastrigin, rastrigin_slope, 5.12),
)
CLUSTERS = ((13, 2.5, -44.326801), (38, 3.5, -173.928427))
CASES = [
    *(
        Case(f"{name}, {n}", value, slope, n, reach, turned="turned" in name, moved=reach != 500.0)
        for n in (10, 50)
        for name, value, slope, reach in FUNCTIONS
    ),
    *(
        Case(
            f"Lennard-Jones, {atoms} atoms",
            lennard_jones,
            lennard_jones_slope,
            3 * atoms,
            reach,
            best,
            atoms=True,
            moved=False,
        )
        for atoms, reach, best in CLUSTERS
    ),
]


class Spent(Exception):
    """All evaluations are spent, or the target is reached."""


@numba.njit
def _within(x, reach):
    return np.max(np.abs(x)) <= reach


class Counted:
    """A random instance of a function, with a count of its evaluations.

    A value costs one evaluation, and so does a gradient. The optimum lies at a random point of the
    inner half of the box, so that starting in the middle does not help. "Turned" functions have
    randomly rotated axes.
    """

    def __init__(self, case: Case, seed: int, budget: float):
        rng = np.random.default_rng(seed)
        self.case, self.budget = case, budget
        half = case.reach / 2.0
        self.optimum = rng.uniform(-half, half, case.n) if case.moved else np.zeros(case.n)
        self.turn = np.linalg.qr(rng.normal(size=(case.n, case.n)))[0] if case.turned else None
        self.target = -math.inf
        self.used = 0
        self.best = math.inf

    @property
    def bounds(self) -> list[tuple[float, float]]:
        return [(-self.case.reach, self.case.reach)] * self.case.n

    def value(self, x: np.ndarray) -> float:
        self._spend()
        found = self.case.value(self._at(x))
        if found < self.best and _within(x, self.case.reach):
            self.best = found
        return found

    def slope(self, x: np.ndarray) -> np.ndarray:
        self._spend()
        slope = self.case.slope(self._at(x))
        return slope if self.turn is None else slope @ self.turn

    def _at(self, x: np.ndarray) -> np.ndarray:
        z = x - self.optimum
        return z if self.turn is None else self.turn @ z

    def _spend(self) -> None:
        if self.used >= self.budget or self.best <= self.target:
            raise Spent
        self.used += 1
