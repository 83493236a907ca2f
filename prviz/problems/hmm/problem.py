"""Hidden Markov models: N hidden states, the variables, maximise a string's likelihood.

The local optimiser is Baum–Welch, sparse (``baum_welch.py``) or plain (``plain.py``).
"""

from __future__ import annotations

import math
from typing import Any

from ...checks import real_number, whole_number
from ...datasets.memory import check_memory
from ...datasets.types.strings import Corpus, check_lengths, check_sequence
from .baum_welch import make_hmm
from .plain import PlainHMM
from .sorted_model import room_needed

TOLERANCE = 1e-6
MAX_ITERATIONS = 1000
MOST_ROOM = 1 << 27  # limit for the working space of the sparse Baum–Welch, in numbers


def hmm(
    sequence: Any,
    n_states: int,
    n_symbols: int | None = None,
    *,
    lengths: Any = None,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
    baum_welch: str = "sparse",
):
    """Return a hidden Markov model, trained on one or several strings, for :func:`prviz.run`.

    The cost is −ln P(sequence | model), summed over the strings. The model consists of the
    transition matrix A (N, N), with no transition excluded, the emission matrix B (N, K) and the
    start probabilities π (N,). A variable is a hidden state: its row and column of A, its row of B,
    and its entry of π.

    Parameters
    ----------
    sequence : (T,) array_like of int, or str, or Symbols, or Corpus
        Symbols, whole numbers from 0. A string is read by :func:`prviz.datasets.read_text`. A
        corpus has its own ``lengths``.
    n_states : int
        N ≥ 1, the number of hidden states.
    n_symbols : int, optional
        K, the size of the alphabet; by default that of a string, or the number of different
        symbols. Then column s of B belongs to ``np.unique(sequence)[s]``.
    lengths : array_like of int, optional
        Lengths of several strings that are concatenated in ``sequence``. They are trained by the
        plain Baum–Welch, because the sparse one takes a single string.
    tolerance : float
        Baum–Welch ends at the first iteration that raises the log-likelihood by less, ≥ 0.
    max_iterations : int
        It also ends after this many iterations, ≥ 1.
    baum_welch : {"sparse", "plain"}
        Two implementations. The sparse one skips negligible paths (see ``baum_welch.py``). The
        plain one is also used if the sparse one would need more than 1 GiB, for example with
        thousands of different symbols.

    Notes
    -----
    New rows are uniform on the simplex. A redraw of state i gives new rows i of A and of B. In rows
    of other states, the entries of A towards redrawn states come from a new row, and then the row
    is divided by its sum: its other entries keep their ratios. Entries of π are redrawn in the same
    way. With α > 0 every new entry is mixed with the old one, equation (1), so rows stay on the
    simplex.

    Raises
    ------
    TypeError, ValueError, MemoryError
        An argument is invalid, or the matrices do not fit in memory.
    """
    N = whole_number(n_states, "n_states")
    if N < 1:
        raise ValueError(f"n_states must be at least 1, got {N}.")
    if n_symbols is not None and (n_symbols := whole_number(n_symbols, "n_symbols")) < 1:
        raise ValueError(f"n_symbols must be at least 1, got {n_symbols}.")
    x, K = check_sequence(sequence, n_symbols)
    check_memory(
        N * (N + K) + 2 * len(x) * N,
        f"the matrices of {N} states over {K} symbols",
        "group rare symbols, or use fewer states",
    )
    tolerance = real_number(tolerance, "tolerance")
    if not 0 <= tolerance < math.inf:
        raise ValueError(f"tolerance must be 0 or more and finite, got {tolerance}.")
    cap = whole_number(max_iterations, "max_iterations")
    if cap < 1:
        raise ValueError(f"max_iterations must be at least 1, got {cap}.")
    if isinstance(sequence, Corpus) and lengths is None:
        lengths = sequence.lengths
    each = check_lengths(lengths, len(x))
    if baum_welch not in ("sparse", "plain"):
        raise ValueError(f"baum_welch must be 'sparse' or 'plain', got {baum_welch!r}.")
    if baum_welch == "plain" or len(each) > 1 or room_needed(len(x), N, K) > MOST_ROOM:
        return PlainHMM(x, N, K, tolerance, cap, each)
    return make_hmm(x, N, K, tolerance, cap)
