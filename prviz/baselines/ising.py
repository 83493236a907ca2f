"""Contender for spin glasses: simulated annealing by dwave-samplers."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ..checks import whole_number
from ..problems.ising.problem import Ising
from .calls import Baseline, Caller
from .peers import needed

SEEDS = 2**31


@dataclasses.dataclass(frozen=True)
class DWaveAnnealing(Baseline):
    """Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) by ``dwave-samplers``.

    A call runs several anneals from random spins, with the library's default temperatures, and
    returns the lowest energy. An iteration is a sweep over all spins.

    Parameters
    ----------
    sweeps : int
        Sweeps per anneal.
    anneals : int
        Anneals per call. Each call needs some milliseconds before the first sweep.
    """

    sweeps: int = 1000
    anneals: int = 10
    iteration = "sweeps"
    problems = (Ising,)
    made_by = "prviz.ising"

    def __post_init__(self) -> None:
        for name in ("sweeps", "anneals"):
            if whole_number(number := getattr(self, name), name) < 1:
                raise ValueError(f"{name} must be at least 1, got {number}.")

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        return _Annealing(problem, self, rng)


class _Annealing(Caller):
    def __init__(self, problem: Any, settings: DWaveAnnealing, rng: np.random.Generator):
        samplers = needed("dwave.samplers", "DWaveAnnealing", "dwave-samplers")
        self.sampler = samplers.SimulatedAnnealingSampler()
        self.problem, self.model, self.settings, self.rng = problem, _model(problem), settings, rng

    def call(self) -> tuple[float, int]:
        sweeps, anneals = self.settings.sweeps, self.settings.anneals
        found = self.sampler.sample(
            self.model,
            num_reads=anneals,
            num_sweeps=sweeps,
            seed=int(self.rng.integers(SEEDS)),
        )
        return float(found.record.energy.min()), anneals * sweeps


def _model(problem: Any) -> Any:
    """Return the problem as a model of dimod, whose energies are Σ h s + Σ J s s."""
    n = len(problem.fields)
    ends = np.repeat(np.arange(n), np.diff(problem.starts))
    once = ends < problem.neighbours
    return needed("dimod", "DWaveAnnealing").BinaryQuadraticModel.from_numpy_vectors(
        -problem.fields,
        (ends[once], problem.neighbours[once], -0.5 * problem.doubled[once]),
        problem.offset,
        "SPIN",
    )
