"""Sums of rows times factors, and products of rows with a vector: a matrix that is partly zero.

Rows are taken eight at a time, in a fixed order: ((a + b) + (c + d)) + ((e + f) + (g + h)). A list
of rows is filled up to whole blocks, with factors of zero, which changes no bit of a sum. All is
copied into the callers, as they pass a dozen arrays for a microsecond's work. Stretches of rows
begin and end with a whole vector: numbers beyond the end are zero.
"""

from __future__ import annotations

from ...engine.dispatch import inlined
from ...engine.simd.simd8 import WIDTH, each, load, spread, store, totals, vector_of


@inlined
def end_list(rows, share, n):
    """Fill a list of ``n`` rows and factors up to a whole block."""
    store(share, n, spread(0.0))
    for k in range(n, n + WIDTH):
        rows[k] = 0


@inlined
def _eight_rows(rows, chosen, k):
    return (
        *(rows[chosen[k]], rows[chosen[k + 1]], rows[chosen[k + 2]], rows[chosen[k + 3]]),
        *(rows[chosen[k + 4]], rows[chosen[k + 5]], rows[chosen[k + 6]], rows[chosen[k + 7]]),
    )


@inlined
def add_rows(out, at, n, share, chosen, end, rows):
    """Add to ``n`` numbers of ``out``, from ``at`` on, the chosen rows times their shares.

    Parameters
    ----------
    out : (…,) float64
    share, chosen : (end + 7,) float64, int64
        Factors and numbers of rows; from ``end`` on, factors are zero.
    rows : (…, …) float64
    """
    for k in range(0, end, WIDTH):
        a, b, c, d = each(share, k), each(share, k + 1), each(share, k + 2), each(share, k + 3)
        e, f, g, h = each(share, k + 4), each(share, k + 5), each(share, k + 6), each(share, k + 7)
        ra, rb, rc, rd, re, rf, rg, rh = _eight_rows(rows, chosen, k)
        for q in range(at, at + n, WIDTH):
            left = (a * load(ra, q) + b * load(rb, q)) + (c * load(rc, q) + d * load(rd, q))
            right = (e * load(re, q) + f * load(rf, q)) + (g * load(rg, q) + h * load(rh, q))
            store(out, q, load(out, q) + (left + right))


@inlined
def dots(v, at, n, chosen, k, rows):
    """The products of ``n`` numbers of ``v``, from ``at`` on, with eight rows, as a vector.

    The rows are those that are chosen from ``k`` on. Each product is a sum of eight running ones,
    and then of what doesn't fill a vector.
    """
    ra, rb, rc, rd, re, rf, rg, rh = _eight_rows(rows, chosen, k)
    a = b = c = d = e = f = g = h = spread(0.0)
    whole = at + (n & -WIDTH)
    for q in range(at, whole, WIDTH):
        x = load(v, q)
        a, b = a + load(ra, q) * x, b + load(rb, q) * x
        c, d = c + load(rc, q) * x, d + load(rd, q) * x
        e, f = e + load(re, q) * x, f + load(rf, q) * x
        g, h = g + load(rg, q) * x, h + load(rh, q) * x
    sums = totals(a, b, c, d, e, f, g, h)
    for q in range(whole, at + n):
        column = vector_of(ra[q], rb[q], rc[q], rd[q], re[q], rf[q], rg[q], rh[q])
        sums = sums + column * v[q]
    return sums
