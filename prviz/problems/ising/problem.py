"""Ising spin glasses: the problem, and its kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...datasets.types.couplings import check_couplings, check_fields, check_qubo, on_a_grid
from ...engine import kernels
from .common import patience
from .descent import BITS, copy_changed, descend, improve, redraw, settle
from .subsets import SUBSETS, choose
from .tabu import roam, roam_on

OPTIMISERS = ("descent", "tabu")


class Ising(NamedTuple):
    """Spins ±1 with couplings between them; N spins, each a variable.

    Attributes
    ----------
    starts : (N + 1,) int64
        The neighbours of spin i lie from ``starts[i]`` to ``starts[i + 1]``.
    neighbours : (2 E,) int64
        Every coupling from both of its ends.
    doubled : (2 E,) float64
        2 J of it.
    fields : (N,) float64
        h.
    offset : float
        What is added to every energy.
    tabu : bool
        Search on over ridges, instead of ending where no spin lowers the energy.
    """

    starts: np.ndarray
    neighbours: np.ndarray
    doubled: np.ndarray
    fields: np.ndarray
    offset: float
    tabu: bool


class IsingState(NamedTuple):
    """Spins, and what follows from them; see ``descent.py``.

    Attributes
    ----------
    spins : (N,) int8
        The configuration: −1 or +1.
    gains : (N,) float64
        Half of what turning a spin over adds to the energy.
    unstable : (⌈N / 32⌉ + 1,) int64
        A bit a spin: its gain is negative; and how many have theirs so.
    energy : (1,) float64
    settled : (1,) uint8
        Whether gains and unstable spins are those of these spins.
    cursor : (1,) int64
        From which spin on the next unstable one is looked for.
    journal : (N + 1,) int64
        Spins that have turned over, and how many those were.
    resting : (N,) float64
        Until which step of a tabu search each spin rests; without, there are none.
    trail : (L,) int64
        Spins that it has turned over since its best.
    """

    VARIABLES = ("spins",)
    CACHES = ("gains", "unstable", "energy", "settled", "cursor")
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


def ising(couplings: Any, fields: Any = None, optimiser: str = "descent"):
    """An Ising spin glass for :func:`prviz.run`: E = −Σ_{i<j} J_ij s_i s_j − Σ_i h_i s_i.

    >>> import prviz
    >>> glass = prviz.ising({(0, 1): 1, (1, 2): 1, (0, 2): -1})  # a frustrated triangle
    >>> prviz.run(glass, calls=20).best_cost
    -1.0

    Parameters
    ----------
    couplings : dict, (N, N) array_like, SciPy sparse matrix or prviz.datasets.Couplings
        J: as ``{(i, j): J_ij}``, every pair once; or as a matrix that is symmetric, or zero on one
        side of its diagonal, which must be zero.
    fields : (N,) array_like, optional
        h, by default 0, or what the data set has.
    optimiser : {"descent", "tabu"}
        Turn over spins as long as one lowers the energy; or search on over ridges by tabu search
        (Glover 1989), until N steps have found nothing lower, and go back to the best.

    Notes
    -----
    Descent turns over one spin after the other that lowers the energy, in the order of
    their numbers from the first one redrawn on, until none does. A spin is up or down, so α does
    not apply: it is ignored.

    Numbers are rounded to multiples of a power of two, at which every energy is exact: whole
    numbers stay as they are, others change by at most 2⁻⁵⁰ of the sum of all.

    Raises
    ------
    TypeError, ValueError
        One sentence that says what is wrong and what to do.
    """
    _check(optimiser)
    checked = check_couplings(couplings)
    if fields is not None:
        checked = checked._replace(fields=check_fields(fields, len(checked.fields)))
    return _made(checked, optimiser)


def qubo(Q: Any, optimiser: str = "descent"):
    """Quadratic unconstrained binary optimisation for :func:`prviz.run`: minimise xᵀ Q x.

    >>> import prviz
    >>> run = prviz.run(prviz.qubo([[-1, 2], [0, -1]]), calls=10)  # one of two, not both
    >>> run.best_cost, sorted(run.best_state.spins.tolist())
    (-1.0, [-1, 1])

    Parameters
    ----------
    Q : (N, N) array_like, SciPy sparse matrix, or dict of {(i, j): Q_ij}
        Whatever its symmetry; x_i² = x_i, so the diagonal is linear.
    optimiser : str
        As :func:`prviz.ising` has it.

    Returns
    -------
    Ising
        The same problem in spins: x_i = (1 + s_i) / 2. Its costs are xᵀ Q x.

    Raises
    ------
    TypeError, ValueError
        One sentence that says what is wrong and what to do.
    """
    _check(optimiser)
    return _made(check_qubo(Q), optimiser)


def _check(optimiser: str) -> None:
    if optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser must be 'descent' or 'tabu', not {optimiser!r}.")


def _made(couplings: Any, optimiser: str) -> Ising:
    pairs, weights, fields, offset = on_a_grid(couplings)
    ends = np.concatenate([pairs[:, 0], pairs[:, 1]])
    others = np.concatenate([pairs[:, 1], pairs[:, 0]])
    order = np.lexsort((others, ends))
    starts = np.searchsorted(ends[order], np.arange(len(fields) + 1))
    doubled = 2.0 * np.concatenate([weights, weights])[order]
    return Ising(
        starts.astype(np.int64), others[order], doubled, fields, offset, optimiser == "tabu"
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
    redraw(problem, state, chosen, rng)  # up or down: alpha does not apply


@kernels.iterate.register(Ising)
def _iterate(problem, state, rng):
    if state.settled[0] == 0:
        settle(problem, state)
    return not (roam(problem, state) if problem.tabu else improve(problem, state))


@kernels.optimise.register(Ising)
def _optimise(problem, state, rng, stop=None):
    if problem.tabu:
        return roam_on(problem, state, stop)
    return descend(problem, state, stop)


@kernels.copy_state.register(Ising)
def _copy_state(problem, target, source):
    copy_changed(problem, target, source)
