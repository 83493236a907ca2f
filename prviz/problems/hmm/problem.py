"""Hidden Markov models: find a model of N hidden states that maximises a sequence's likelihood.

Each hidden state is a variable. The local optimiser is Baum–Welch: sparse (``baum_welch.py``) or
plain (``plain.py``) for strings of symbols, and ``gaussian`` for series of numbers.
"""

from __future__ import annotations

import math
from typing import Any

from ...checks import real_number, whole_number
from ...datasets.check import full_weights
from ...datasets.memory import check_memory
from ...datasets.types.series import Series
from ...datasets.types.strings import Corpus, check_lengths, check_sequence
from .baum_welch import HMM, make_hmm
from .gaussian.problem import make_gaussian_hmm
from .plain import PlainHMM
from .sorted_model import room_needed

TOLERANCE = 1e-6
MAX_ITERATIONS = 1000
MOST_ITERATIONS = 1 << 62  # fits in int64
EMISSIONS = ("categorical", "gaussian")
MOST_ROOM = 1 << 27  # largest working space of "sparse", in float64 numbers
#: Smallest weight of a string for "sparse". Paths are dropped by their weighted posterior
#: probability, so for a smaller weight, too many paths of the string could be dropped.
LEAST_WEIGHT = 1e-6


def hmm(
    sequence: Any,
    n_states: int,
    n_symbols: int | None = None,
    *,
    lengths: Any = None,
    weights: Any = None,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
    baum_welch: str = "sparse",
    emissions: str | None = None,
    n_mix: int = 1,
    covariance_type: str = "diag",
    min_covar: float | None = None,
):
    """Return a hidden Markov model, trained on one or several sequences, for :func:`prviz.run`.

    The cost is −ln P(sequence | model), summed over the sequences with their weights. The model
    consists of the transition matrix A (N, N), the start probabilities π (N,), and the emissions.
    All transitions are allowed. For strings of symbols, the emissions are a matrix B (N, K). For
    series of numbers, they are Gaussian distributions, or mixtures of them, with means (N, d) and
    covariances. Each hidden state is a variable: its row and column of A, its entry of π, and its
    emissions.

    Parameters
    ----------
    sequence : (T,) array_like of int, or str, or Symbols, or Corpus
        Symbols: whole numbers from 0. Each character of a str is a symbol.
        :func:`prviz.datasets.read_text` reads a file. With Gaussian emissions: (T,) or (T, d)
        array_like of numbers, or Series. Corpus and Series include ``lengths``.
    n_states : int
        N ≥ 1, the number of hidden states.
    n_symbols : int, optional
        K, the size of the alphabet. The default is the size of a string's alphabet, or for an array
        the number of different symbols. Column s of B then belongs to ``np.unique(sequence)[s]``.
    lengths : array_like of int, optional
        Lengths of several sequences that are concatenated in ``sequence``. Each first state
        has the distribution π.
    weights : (s,) array_like, optional
        Weight of each sequence, above 0. A weight of 3 counts as three equal sequences. The default
        is 1.
    tolerance : float
        At least 0. Baum–Welch ends when an iteration raises the log-likelihood by less than this.
    max_iterations : int
        At least 1. Baum–Welch also ends after this many iterations.
    baum_welch : {"sparse", "plain"}
        Implementation for strings. "sparse" skips negligible paths (see ``baum_welch.py``). Plain
        Baum–Welch is also used if "sparse" would need more than 1 GiB, for example with thousands
        of different symbols, or if a weight is below 1e-6.
    emissions : {"categorical", "gaussian"}, optional
        Type of the emissions: symbols, or vectors of d numbers. The default is "gaussian"
        for a :class:`~prviz.datasets.Series`, and "categorical" for other sequences.
    n_mix : int
        Gaussian emissions: M ≥ 1, the number of components of each state. With M > 1 the density of
        a state is a mixture with ``weights`` (N, M); ``means`` (N, M d) and ``covars`` contain the
        components of a state one after the other.
    covariance_type : {"diag", "full"}
        Gaussian emissions: a variance per column, or a covariance matrix.
    min_covar : float, optional
        Gaussian emissions: the smallest variance, or the smallest eigenvalue of a full covariance
        matrix, above 0. By default 1/1000 of each column's variance. Without a floor, a state could
        collapse onto one observation, with infinite likelihood.

    Notes
    -----
    A redraw of state i replaces rows i of A and B by new rows, which are uniform on the simplex. In
    other rows of A, the entries towards redrawn states are replaced by entries of a new row. Then
    the row is divided by its sum, so its other entries keep their ratios. Entries of π are redrawn
    in the same way. With α > 0 every new entry is mixed with the old entry by equation (1), so rows
    stay on the simplex.

    A new Gaussian state has a random observation as its mean, and a diagonal covariance: the
    variances of the columns, times one uniform number from 0 to 1. With M > 1, each component is
    redrawn like this, and the new weights are uniform on the simplex.

    Raises
    ------
    TypeError, ValueError, MemoryError
        An argument is invalid, or the matrices do not fit in memory.

    Examples
    --------
    >>> import prviz
    >>> series = prviz.datasets.regimes(300)
    >>> run = prviz.run(prviz.hmm(series, 3), k1=1, m1=20, calls=60)
    >>> sorted(run.best_state.means.round(1).ravel().tolist())
    [-0.0, 0.6, 1.6]
    """
    N = whole_number(n_states, "n_states")
    if N < 1:
        raise ValueError(f"n_states must be at least 1, got {N}.")
    tolerance, cap = _check_ends(tolerance, max_iterations)
    if emissions is None:
        emissions = "gaussian" if isinstance(sequence, Series) else "categorical"
    if emissions not in EMISSIONS:
        raise ValueError(f"emissions must be 'categorical' or 'gaussian', got {emissions!r}.")
    if emissions == "gaussian":
        if n_symbols is not None:
            raise ValueError("n_symbols does not apply to Gaussian emissions. Leave it out.")
        return make_gaussian_hmm(
            *(sequence, N, n_mix, lengths, weights, tolerance, cap, covariance_type, min_covar)
        )
    if n_mix != 1:
        raise ValueError("n_mix applies to Gaussian emissions only. Leave it out.")
    if baum_welch not in ("sparse", "plain"):
        raise ValueError(f"baum_welch must be 'sparse' or 'plain', got {baum_welch!r}.")
    return _of_strings(sequence, N, n_symbols, lengths, weights, tolerance, cap, baum_welch)


def _check_ends(tolerance: float, max_iterations: int) -> tuple[float, int]:
    """Return the tolerance and the iteration limit; raise an error if one is invalid."""
    tolerance = real_number(tolerance, "tolerance")
    if not 0 <= tolerance < math.inf:
        raise ValueError(f"tolerance must be 0 or more and finite, got {tolerance}.")
    cap = whole_number(max_iterations, "max_iterations")
    if cap < 1:
        raise ValueError(f"max_iterations must be at least 1, got {cap}.")
    return tolerance, min(cap, MOST_ITERATIONS)


def _of_strings(
    sequence: Any,
    N: int,
    n_symbols: int | None,
    lengths: Any,
    weights: Any,
    tolerance: float,
    cap: int,
    baum_welch: str,
) -> HMM | PlainHMM:
    """Return a model of strings of symbols."""
    if n_symbols is not None and (n_symbols := whole_number(n_symbols, "n_symbols")) < 1:
        raise ValueError(f"n_symbols must be at least 1, got {n_symbols}.")
    x, K = check_sequence(sequence, n_symbols)
    check_memory(
        N * (N + K) + 2 * len(x) * N,
        f"the matrices of {N} states over {K} symbols",
        "group rare symbols, or use fewer states",
    )
    if isinstance(sequence, Corpus) and lengths is None:
        lengths = sequence.lengths
    each = check_lengths(lengths, len(x))
    heavy = full_weights(weights, len(each), "sequence")
    sparse = room_needed(len(x), N, K) <= MOST_ROOM and heavy.min() >= LEAST_WEIGHT
    if baum_welch == "plain" or not sparse:
        return PlainHMM(x, N, K, tolerance, cap, each, heavy)
    return make_hmm(x, N, K, tolerance, cap, each, heavy)
