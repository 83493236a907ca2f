"""Sums of rows times factors, and products of rows with a vector: a matrix that is partly zero.

Rows are taken eight at a time, in a fixed order: ((a + b) + (c + d)) + ((e + f) + (g + h)); what
is missing of a block counts as zero, which changes no bit of a sum. All is copied into the callers,
as they pass a dozen arrays for a microsecond's work. Stretches of rows begin and end with a whole
vector: numbers beyond the end are zero.
"""

from __future__ import annotations

from ...engine.dispatch import inlined
from ...engine.simd.simd8 import WIDTH, each, load, spread, store, totals, vector_of


@inlined
def add_rows(out, at, n, share, first, stride, chosen, begin, end, rows):
    """Add to ``n`` numbers of ``out``, from ``at`` on, the chosen rows times their shares.

    Parameters
    ----------
    out : (…,) float64
    share : (…,) float64
        Factors, from number ``first`` on, ``stride`` apart.
    chosen : (end + 7,) int64
        Numbers of rows; from ``end`` on, their factors are zero.
    begin, end : int
        Which of the chosen ones.
    rows : (…, …) float64
    """
    k = begin
    while k < end - 4:
        _add_eight(out, at, n, share, first + k * stride, stride, chosen, k, rows)
        k += WIDTH
    if k < end - 2:
        _add_four(out, at, n, share, first + k * stride, stride, chosen, k, rows)
    elif k < end:
        _add_two(out, at, n, share, first + k * stride, stride, chosen, k, rows)


@inlined
def end_list(rows, share, n):
    """Fill a list of ``n`` rows and factors up to a whole block."""
    store(share, n, spread(0.0))
    for k in range(n, n + WIDTH):
        rows[k] = 0


@inlined
def _four_of(share, at, stride):
    a, b = each(share, at), each(share, at + stride)
    return a, b, each(share, at + 2 * stride), each(share, at + 3 * stride)


@inlined
def _add_two(out, at, n, share, f, stride, chosen, k, rows):
    a, b = each(share, f), each(share, f + stride)
    ra, rb = rows[chosen[k]], rows[chosen[k + 1]]
    for q in range(at, at + n, WIDTH):
        store(out, q, load(out, q) + (a * load(ra, q) + b * load(rb, q)))


@inlined
def _add_four(out, at, n, share, f, stride, chosen, k, rows):
    a, b, c, d = _four_of(share, f, stride)
    ra, rb, rc, rd = (
        rows[chosen[k]],
        rows[chosen[k + 1]],
        rows[chosen[k + 2]],
        rows[chosen[k + 3]],
    )
    for q in range(at, at + n, WIDTH):
        left = (a * load(ra, q) + b * load(rb, q)) + (c * load(rc, q) + d * load(rd, q))
        store(out, q, load(out, q) + left)


@inlined
def _add_eight(out, at, n, share, begin, stride, chosen, k, rows):
    a, b, c, d = _four_of(share, begin, stride)
    e, f, g, h = _four_of(share, begin + 4 * stride, stride)
    ra, rb, rc, rd = (
        rows[chosen[k]],
        rows[chosen[k + 1]],
        rows[chosen[k + 2]],
        rows[chosen[k + 3]],
    )
    re, rf, rg, rh = (
        rows[chosen[k + 4]],
        rows[chosen[k + 5]],
        rows[chosen[k + 6]],
        rows[chosen[k + 7]],
    )
    for q in range(at, at + n, WIDTH):
        left = (a * load(ra, q) + b * load(rb, q)) + (c * load(rc, q) + d * load(rd, q))
        right = (e * load(re, q) + f * load(rf, q)) + (g * load(rg, q) + h * load(rh, q))
        store(out, q, load(out, q) + (left + right))


@inlined
def add_rows_to_two(out, other_out, at, n, share, first, stride, chosen, end, rows):
    """The same for two sums of the same rows, each of which is read once for both.

    The factors of the second lie one place after those of the first.
    """
    k = 0
    while k < end - 4:
        begin = first + k * stride
        _add_eight_to_two(out, other_out, at, n, share, begin, stride, chosen, k, rows)
        k += WIDTH
    add_rows(out, at, n, share, first, stride, chosen, k, end, rows)
    add_rows(other_out, at, n, share, first + 1, stride, chosen, k, end, rows)


@inlined
def _add_eight_to_two(out, other_out, at, n, share, begin, stride, chosen, k, rows):
    a, b, c, d = _four_of(share, begin, stride)
    e, f, g, h = _four_of(share, begin + 4 * stride, stride)
    i, j, l, m = _four_of(share, begin + 1, stride)  # noqa: E741
    o, p, r, s = _four_of(share, begin + 1 + 4 * stride, stride)
    ra, rb, rc, rd = (
        rows[chosen[k]],
        rows[chosen[k + 1]],
        rows[chosen[k + 2]],
        rows[chosen[k + 3]],
    )
    re, rf, rg, rh = (
        rows[chosen[k + 4]],
        rows[chosen[k + 5]],
        rows[chosen[k + 6]],
        rows[chosen[k + 7]],
    )
    for q in range(at, at + n, WIDTH):
        va, vb, vc, vd = load(ra, q), load(rb, q), load(rc, q), load(rd, q)
        ve, vf, vg, vh = load(re, q), load(rf, q), load(rg, q), load(rh, q)
        left = (a * va + b * vb) + (c * vc + d * vd)
        store(out, q, load(out, q) + (left + ((e * ve + f * vf) + (g * vg + h * vh))))
        left = (i * va + j * vb) + (l * vc + m * vd)
        store(other_out, q, load(other_out, q) + (left + ((o * ve + p * vf) + (r * vg + s * vh))))


@inlined
def dots(v, at, n, chosen, begin, end, rows):
    """The products of ``n`` numbers of ``v``, from ``at`` on, with up to eight rows, as a vector.

    The rows are those that are chosen from ``begin`` on. Each product is a sum of eight running
    ones, and then of what doesn't fill a vector. In place of rows missing at the end there are
    zeros, or the products of whichever rows are listed there.
    """
    if end - begin > 4:
        return _eight_dots(v, at, n, chosen, begin, rows)
    if end - begin > 2:
        return _four_dots(v, at, n, chosen, begin, rows)
    return _two_dots(v, at, n, chosen, begin, rows)


@inlined
def _two_dots(v, at, n, chosen, k, rows):
    ra, rb = rows[chosen[k]], rows[chosen[k + 1]]
    a = b = nothing = spread(0.0)
    whole = at + (n & -WIDTH)
    for q in range(at, whole, WIDTH):
        factors = load(v, q)
        a = a + load(ra, q) * factors
        b = b + load(rb, q) * factors
    sums = totals(a, b, nothing, nothing, nothing, nothing, nothing, nothing)
    for q in range(whole, at + n):
        column = vector_of(ra[q], rb[q], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        sums = sums + column * v[q]
    return sums


@inlined
def _four_dots(v, at, n, chosen, k, rows):
    ra, rb, rc, rd = (
        rows[chosen[k]],
        rows[chosen[k + 1]],
        rows[chosen[k + 2]],
        rows[chosen[k + 3]],
    )
    a = b = c = d = nothing = spread(0.0)
    whole = at + (n & -WIDTH)
    for q in range(at, whole, WIDTH):
        factors = load(v, q)
        a = a + load(ra, q) * factors
        b = b + load(rb, q) * factors
        c = c + load(rc, q) * factors
        d = d + load(rd, q) * factors
    sums = totals(a, b, c, d, nothing, nothing, nothing, nothing)
    for q in range(whole, at + n):
        column = vector_of(ra[q], rb[q], rc[q], rd[q], 0.0, 0.0, 0.0, 0.0)
        sums = sums + column * v[q]
    return sums


@inlined
def _eight_dots(v, at, n, chosen, k, rows):
    ra, rb, rc, rd = (
        rows[chosen[k]],
        rows[chosen[k + 1]],
        rows[chosen[k + 2]],
        rows[chosen[k + 3]],
    )
    re, rf, rg, rh = (
        rows[chosen[k + 4]],
        rows[chosen[k + 5]],
        rows[chosen[k + 6]],
        rows[chosen[k + 7]],
    )
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
