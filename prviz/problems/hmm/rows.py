"""Sum rows times factors, and multiply rows by a vector, for chosen rows of a matrix.

Rows are processed eight at a time, in a fixed order: ((a + b) + (c + d)) + ((e + f) + (g + h)). A
list of rows is padded to whole blocks with factors of zero, which do not change a sum. All
functions are inlined, because a call with a dozen arrays would take longer than the work. Ranges of
columns are padded with zeros to whole vectors.
"""

from __future__ import annotations

from ...engine.dispatch import inlined
from ...engine.simd.simd8 import WIDTH, each, load, spread, store, totals, vector_of


@inlined
def end_list(rows, share, n):
    """Pad a list of ``n`` rows and factors to a whole block."""
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
    """Add the chosen rows times their factors to ``out[at : at + n]``.

    Parameters
    ----------
    out : (…,) float64
    share, chosen : (end + 7,) float64, int64
        Factors and row numbers; from ``end`` on, factors are zero.
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
    """Return the products of eight rows with ``v[at : at + n]``, as a vector.

    The rows are ``chosen[k]`` to ``chosen[k + 7]``. Each product is the sum of eight partial sums
    and of the remainder that does not fill a vector.
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
