"""Summarise the redraws of a search by ranges of calls, from its trace."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.trace import KEPT, Trace


def chosen_sizes(trace: Trace) -> Any:
    """Return a DataFrame of the sizes redrawn on level 1, and of restarts.

    Parameters
    ----------
    trace : Trace

    Returns
    -------
    pandas.DataFrame
        The columns are ``first`` and ``last`` call of a range, kind of ``redraw``, its size ``k``,
        numbers of calls and iterations, and the share of calls that were kept.
    """
    import pandas as pd

    rows = []
    restarts = trace.level == trace.n_levels
    sizes = np.where(restarts, trace.n_variables, trace.counts[:, 0])
    first = 1
    while first <= len(trace):
        last = min(len(trace), 10 * max(1, first - 1))
        here = slice(first - 1, last)
        for kind, chosen in (("partial", ~restarts[here]), ("restart", restarts[here])):
            for k in np.unique(sizes[here][chosen]):
                calls = chosen & (sizes[here] == k)
                kept = float((trace.kept[here, 0][calls] == KEPT).mean())
                work = int(trace.iterations[here][calls].sum())
                rows.append((first, last, kind, int(k), int(calls.sum()), work, kept))
        first = last + 1
    return pd.DataFrame(
        rows, columns=["first", "last", "redraw", "k", "calls", "iterations", "kept"]
    )
