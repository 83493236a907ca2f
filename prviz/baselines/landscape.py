"""Contenders for landscapes: basin hopping, and simulated annealing."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from ..checks import whole_number
from ..engine.schedule import Level, Schedule
from ..problems.landscape import REACH, Landscape
from .calls import Baseline, Caller, positive
from .searching import SearchCaller


class ForLandscapes(Baseline):
    problems = (Landscape,)
    made_by = "prviz.landscape"


class Walker(NamedTuple):
    """The state of a walk: ``position`` (d,), its ``height``, and the number of ``calls``."""

    position: np.ndarray
    height: float
    calls: int


class _Walk(SearchCaller):
    """A walk through a landscape; x is the next candidate."""

    held: Any = None

    def __init__(self, problem: Any, settings: Any, rng: np.random.Generator, held: Walker | None):
        d = len(problem.optimum)
        super().__init__(problem, Schedule.from_levels([Level(d)], d), rng, None)
        self.settings, self.held = settings, held or Walker(np.zeros(d), math.inf, 0)

    def anywhere(self) -> np.ndarray:
        return self.rng.uniform(-REACH, REACH, len(self.held.position))

    def accepts(self, rise: float, temperature: float) -> bool:
        """Return True if Metropolis's rule accepts a rise."""
        return rise <= 0 or self.rng.random() < math.exp(-rise / temperature)


@dataclasses.dataclass(frozen=True)
class BasinHopping(ForLandscapes):
    """Basin hopping (Wales and Doye 1997): a random step, a descent, and Metropolis's rule.

    An iteration is a step of the problem's gradient descent.

    Parameters
    ----------
    step : float
        Largest move of a coordinate. The distance between local minima is 1.
    temperature : float
        Temperature in units of height. A rise by this amount is accepted with probability 1/e.
    """

    step: float = 1.0
    temperature: float = 1.0

    def __post_init__(self) -> None:
        positive(self.step, "step")
        positive(self.temperature, "temperature")

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _Hopping(problem, self, rng, held)


class _Hopping(_Walk):
    def call(self) -> tuple[float, int]:
        position, height, calls = self.held
        step = self.rng.uniform(-self.settings.step, self.settings.step, len(position))
        self.x.position[:] = position + step if calls else self.anywhere()
        iterations = self.iterate()
        reached = float(self.costs[0])
        if self.accepts(reached - height, self.settings.temperature):
            position, height = self.x.position.copy(), reached
        self.held = Walker(position, height, calls + 1)
        return reached, iterations


@dataclasses.dataclass(frozen=True)
class Annealing(ForLandscapes):
    """Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983), with restarts.

    A call makes several moves at one temperature. A move changes one coordinate by a Cauchy variate
    (Szu and Hartley 1987) times the square root of the temperature. A coordinate that leaves its
    range re-enters at the other end.

    An iteration evaluates height and slope once, like a step of gradient descent. So iterations of
    annealing and of gradient descent are comparable.

    Parameters
    ----------
    hottest, coldest : float
        First and last temperature, in units of height.
    temperatures : int
        Number of temperatures, in geometric steps.
    moves : int
        Moves per temperature.
    """

    hottest: float = 20.0
    coldest: float = 1e-4
    temperatures: int = 100
    moves: int = 20

    def __post_init__(self) -> None:
        positive(self.coldest, "coldest")
        if positive(self.hottest, "hottest") <= self.coldest:
            raise ValueError(f"hottest must be above coldest, {self.coldest}, got {self.hottest}.")
        for name, least in (("temperatures", 2), ("moves", 1)):
            if whole_number(number := getattr(self, name), name) < least:
                raise ValueError(f"{name} must be at least {least}, got {number}.")

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _Cooling(problem, self, rng, held)

    def temperature(self, call: int) -> float:
        """Return the temperature of a call. The first call has number 0."""
        share = call % self.temperatures / (self.temperatures - 1)
        return self.hottest * (self.coldest / self.hottest) ** share


class _Cooling(_Walk):
    def call(self) -> tuple[float, int]:
        position, height, calls = self.held
        temperature = self.settings.temperature(calls)
        lowest, looks = math.inf, 0
        if calls % self.settings.temperatures == 0:
            position = self.anywhere()
            lowest = height = self.height_at(position)
            looks = 1
        for _ in range(self.settings.moves):
            move = math.sqrt(temperature) * self.rng.standard_cauchy()
            to = position.copy()
            j = self.rng.integers(len(to))
            to[j] = (to[j] + move + REACH) % (2 * REACH) - REACH
            reached = self.height_at(to)
            lowest = min(lowest, reached)
            if self.accepts(reached - height, temperature):
                position, height = to, reached
        self.held = Walker(position, height, calls + 1)
        return lowest, looks + self.settings.moves

    def height_at(self, position: np.ndarray) -> float:
        self.x.position[:] = position
        self.iterate(0)
        return float(self.costs[0])
