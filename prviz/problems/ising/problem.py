"""Ising spin glasses: the problem and its kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...datasets.types.couplings import check_couplings, check_fields, check_qubo, on_a_grid
from ...engine import kernels
from .annealing import anneal, anneal_on, first_sweep, inverse_temperatures
from .common import patience
from .descent import BITS, copy_changed, descend, improve, redraw, settle
from .subsets import SUBSETS, choose
from .tabu import roam, roam_on

OPTIMISERS = ("annealing", "descent", "tabu")


class Ising(NamedTuple):
    """Spins ±1 with couplings between them. Each of the N spins is a variable.

    Attributes
    ----------
    starts : (N + 1,) int64
        The neighbours of spin i are ``neighbours[starts[i] : starts[i + 1]]``.
    neighbours : (2 E,) int64
        The neighbours of every spin. Each coupling is listed for both of its spins.
    doubled : (2 E,) float64
        2 J of each coupling.
    fields : (N,) float64
        The field h of each spin.
    offset : float
        Constant added to every energy.
    tabu : bool
        Whether to use tabu search.
    betas : (S,) float64
        The inverse temperature of each sweep of annealing; empty for the other optimisers.
    """

    starts: np.ndarray
    neighbours: np.ndarray
    doubled: np.ndarray
    fields: np.ndarray
    offset: float
    tabu: bool
    betas: np.ndarray


class IsingState(NamedTuple):
    """Spins and derived quantities; see ``descent.py``.

    Attributes
    ----------
    spins : (N,) int8
        The configuration: −1 or +1.
    gains : (N,) float64
        Half of the energy that a flip of each spin would add.
    unstable : (⌈N / 32⌉ + 1,) int64
        One bit per spin: 1 if its gain is negative. The last entry is the number of ones.
    energy : (1,) float64
    settled : (1,) uint8
        Whether gains and unstable spins are up to date.
    cursor : (1,) int64
        Spin from which the search for the next unstable one starts.
    journal : (N + 1,) int64
        Spins that have been flipped, and their number; see ``descent.py``.
    resting : (N,) float64
        For each spin, the step until which it is tabu; empty without tabu search.
    trail : (L,) int64
        Spins that tabu search has flipped since its lowest energy.
    sweep : (1,) int64
        The next sweep of annealing; S if only descent is left.
    """

    VARIABLES = ("spins",)
    CACHES = ("gains", "unstable", "energy", "settled", "cursor", "sweep")
    WORKSPACE = ("journal", "resting", "trail")

    spins: np.ndarray
    gains: np.ndarray
    unstable: np.ndarray
    energy: np.ndarray
    settled: np.ndarray
    cursor: np.ndarray
    journal: np.ndarray
    resting: np.ndarray
    trail: np.ndarray
    sweep: np.ndarray

    def fault(self) -> str:
        """Return a description of invalid spins, or ""."""
        return "" if np.isin(self.spins, (-1, 1)).all() else "spins that are not -1 or 1"


def ising(couplings: Any, fields: Any = None, optimiser: str = "annealing"):
    """Return an Ising spin glass for :func:`prviz.run`: E = −Σ_{i<j} J_ij s_i s_j − Σ_i h_i s_i.

    >>> import prviz
    >>> glass = prviz.ising({(0, 1): 1, (1, 2): 1, (0, 2): -1})  # a frustrated triangle
    >>> prviz.run(glass, calls=20).best_cost
    -1.0

    Parameters
    ----------
    couplings : dict, (N, N) array_like, SciPy sparse matrix or prviz.datasets.Couplings
        J as ``{(i, j): J_ij}`` with every pair once, or as a symmetric or triangular matrix with a
        zero diagonal.
    fields : (N,) array_like, optional
        The field h of each spin. The default is the field of the data set, or 0.
    optimiser : {"annealing", "descent", "tabu"}
        "annealing" (Kirkpatrick et al. 1983) also accepts flips that raise the energy, with a
        probability that falls from sweep to sweep. The fewer spins are redrawn, the lower the
        temperature at which it begins. "descent" flips single spins as long as a flip lowers the
        energy. "tabu" (Glover 1989) crosses ridges, and returns to its best state after N steps (at
        least 50) without a lower energy.

    Notes
    -----
    Spins are visited in the order of their numbers. Descent starts at the first redrawn spin. A
    spin is up or down, so α is ignored.

    Couplings and fields are rounded to multiples of a power of two, so that every energy is exact.
    Whole numbers do not change, and fractions change by at most 2⁻⁵⁰ of the sum of all absolute
    values.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    _check(optimiser)
    checked = check_couplings(couplings)
    if fields is not None:
        checked = checked._replace(fields=check_fields(fields, len(checked.fields)))
    return _made(checked, optimiser)


def qubo(Q: Any, optimiser: str = "annealing"):
    """Return a quadratic unconstrained binary problem for :func:`prviz.run`: minimise xᵀ Q x.

    >>> import prviz
    >>> run = prviz.run(prviz.qubo([[-1, 2], [0, -1]]), calls=10)  # choose one of two
    >>> run.best_cost, sorted(run.best_state.spins.tolist())
    (-1.0, [-1, 1])

    Parameters
    ----------
    Q : (N, N) array_like, SciPy sparse matrix, or dict of {(i, j): Q_ij}
        Q need not be symmetric. Diagonal entries are linear terms, because x_i² = x_i.
    optimiser : {"annealing", "descent", "tabu"}
        See :func:`prviz.ising`.

    Returns
    -------
    Ising
        The same problem with spins s_i, where x_i = (1 + s_i) / 2. Its costs are xᵀ Q x.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    _check(optimiser)
    return _made(check_qubo(Q), optimiser)


def _check(optimiser: str) -> None:
    if optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser must be 'annealing', 'descent' or 'tabu', got {optimiser!r}.")


def _made(couplings: Any, optimiser: str) -> Ising:
    pairs, weights, fields, offset = on_a_grid(couplings)
    ends = np.concatenate([pairs[:, 0], pairs[:, 1]])
    others = np.concatenate([pairs[:, 1], pairs[:, 0]])
    order = np.lexsort((others, ends))
    starts = np.searchsorted(ends[order], np.arange(len(fields) + 1))
    doubled = 2.0 * np.concatenate([weights, weights])[order]
    betas = inverse_temperatures(doubled, fields) if optimiser == "annealing" else np.empty(0)
    return Ising(
        starts.astype(np.int64), others[order], doubled, fields, offset, optimiser == "tabu", betas
    )


@kernels.allocate.register
def _allocate(problem: Ising) -> IsingState:
    n = len(problem.fields)
    return IsingState(
        spins=np.ones(n, np.int8),
        gains=np.zeros(n),
        unstable=np.zeros(-(-n // BITS) + 1, np.int64),
        energy=np.zeros(1),
        settled=np.zeros(1, np.uint8),
        cursor=np.zeros(1, np.int64),
        journal=np.zeros(n + 1, np.int64),
        resting=np.zeros(n * problem.tabu),
        trail=np.zeros(patience(n) * problem.tabu, np.int64),
        sweep=np.full(1, len(problem.betas)),
    )


@kernels.n_variables.register
def _n_variables(problem: Ising) -> int:
    return len(problem.fields)


@kernels.cost.register(Ising)
def _cost(problem, state):
    return state.energy[0]


@kernels.subsets.register
def _subsets(problem: Ising) -> tuple[str, ...]:
    return SUBSETS


@kernels.select.register(Ising)
def _select(problem, state, how, rng, order):
    if state.settled[0] == 0:
        settle(problem, state)
    return choose(problem, state.gains, how, rng, order)


@kernels.reinitialise.register(Ising)
def _reinitialise(problem, state, chosen, alpha, rng):
    redraw(problem, state, chosen, rng)  # α does not apply to spins
    state.sweep[0] = first_sweep(problem, len(chosen))


@kernels.iterate.register(Ising)
def _iterate(problem, state, rng):
    if state.settled[0] == 0:
        settle(problem, state)
    if len(problem.betas) > 0:
        return anneal(problem, state, rng)
    return not (roam(problem, state) if problem.tabu else improve(problem, state))


@kernels.optimise.register(Ising)
def _optimise(problem, state, rng, stop=None):
    if problem.tabu:
        return roam_on(problem, state, stop)
    if len(problem.betas) > 0:
        return anneal_on(problem, state, rng, stop)
    return descend(problem, state, stop)


@kernels.copy_state.register(Ising)
def _copy_state(problem, target, source):
    copy_changed(problem, target, source)
    target.sweep[0] = source.sweep[0]
