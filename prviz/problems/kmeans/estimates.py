"""Squared distances in single precision, with a bound on their error, to rule centres out.

Half the bytes and a quarter of the instructions: |x − c|² is |x|² − 2 x·c + |c|², of which |x|² is
the same for all centres and |c|² and −2 c are known beforehand. What is left, the *score* of a
centre, is one product and one addition an axis. Scores decide where they are farther apart than
their error; what they leave open is for ``distances.py``. So no result depends on them.

Points and centres are taken from an origin amid the data, in a unit in which the data are about 1:
then squares of no data are too large or too small.
"""

from __future__ import annotations

import math

import numpy as np

from ...engine.dispatch import borrowing, extremal, inlined
from ...engine.simd.simd16 import (
    WIDTH,
    each,
    larger,
    load,
    smaller,
    spread,
    store,
    store_turned,
    where_less,
)

#: Points that are looked at together: two vectors of them.
PAIR = 2 * WIDTH

#: The least number of dimensions in which all this pays.
DIMENSIONS = 3

#: Beyond this error, in units squared, nothing is to be told from scores.
USELESS = 1e3

#: A centre that is farther than this makes them so; its square is a number yet.
FAR = 1e15

#: The score of no centre.
NONE = 3e38


def measured(points: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Origin (d,), unit, and the largest |x|² in it; a power of two as unit rounds nothing."""
    origin = points.mean(axis=0)
    size = float(np.abs(points - origin).max())
    unit = 2.0 ** max(-1000, math.frexp(size)[1]) if size > 0 else 1.0
    return origin, unit, float((((points - origin) / unit) ** 2).sum(axis=1).max())


def in_single_precision(points, origin, unit, places: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows (places d + 16,) and squared lengths (places,), float32: of the points, then zeros."""
    n, d = points.shape
    rows, norms = np.zeros(places * d + WIDTH, np.float32), np.zeros(places, np.float32)
    centred = (points - origin) / unit
    rows[: n * d] = centred.ravel()
    norms[:n] = (centred * centred).sum(axis=1)
    return rows, norms


def batch_size(n: int, d: int) -> int:
    """Places a batch needs for n points."""
    return -(-n // PAIR) * PAIR * (-(-d // WIDTH) * WIDTH)


@borrowing
def note_centre(centers, j, origin, unit, directions, lengths, at) -> None:
    """Fill ``directions[at]`` (d,) with −2 c and ``lengths[at]`` with |c|² of centre j."""
    length = 0.0
    for axis in range(centers.shape[1]):
        x = min(max(-FAR, (centers[j, axis] - origin[axis]) / unit), FAR)
        directions[at, axis] = -2.0 * x
        length += x * x
    lengths[at] = length


@extremal
def _longest(lengths, count) -> float:
    longest = np.float32(0.0)
    for i in range(count):
        longest = max(longest, lengths[i])
    return longest


@borrowing
def error_of_scores(longest, lengths, d) -> float:
    """No score plus |x|² is farther than this from the squared distance; +∞ if that is useless.

    Each of d products and sums, each |x|², |c|² and coordinate is rounded to 24 bits, and none is
    larger than (|x| + |c|)².

    Parameters
    ----------
    longest : float
        The largest |x|².
    lengths : (k + 2,)
        All |c|², and two that don't count.
    """
    reach = np.sqrt(longest) + np.sqrt(float(_longest(lengths, len(lengths) - 2)))
    error = (2.0 * d + 16.0) * 2.0**-24 * reach * reach + 1e-37
    return error if error < USELESS else np.inf


@borrowing
def gather(rows, norms, d, start, position, size, batch, length) -> None:
    """Put the rows of some points of a block into ``batch``, with their |x|².

    Parameters
    ----------
    rows, norms
        See :func:`in_single_precision`; in the order of the pool.
    position : (size rounded up to pairs,) or longer
        The places in the block that begins at ``start``; filled up with the last one.
    batch : (batch_size(size, d),) or longer
        Filled pair by pair of vectors, in each of them axis by axis: it is read straight on.
    """
    depth = (d + WIDTH - 1) & -WIDTH
    for i in range(size, (size + PAIR - 1) & -PAIR):
        position[i] = position[size - 1]
    for at in range(0, size, PAIR):
        for i in range(at, at + PAIR):
            length[i] = norms[start + position[i]]
        for axis in range(0, d, WIDTH):
            for half in (0, WIDTH):
                into = at * depth + axis * PAIR + half
                _turn(rows, d, start, position, at + half, axis, batch, into)


@borrowing
def _turn(rows, d, start, position, at, axis, batch, into) -> None:
    """Sixteen axes of sixteen points, an axis side by side."""
    store_turned(
        batch,
        into,
        PAIR,
        load(rows, (start + position[at + 0]) * d + axis),
        load(rows, (start + position[at + 1]) * d + axis),
        load(rows, (start + position[at + 2]) * d + axis),
        load(rows, (start + position[at + 3]) * d + axis),
        load(rows, (start + position[at + 4]) * d + axis),
        load(rows, (start + position[at + 5]) * d + axis),
        load(rows, (start + position[at + 6]) * d + axis),
        load(rows, (start + position[at + 7]) * d + axis),
        load(rows, (start + position[at + 8]) * d + axis),
        load(rows, (start + position[at + 9]) * d + axis),
        load(rows, (start + position[at + 10]) * d + axis),
        load(rows, (start + position[at + 11]) * d + axis),
        load(rows, (start + position[at + 12]) * d + axis),
        load(rows, (start + position[at + 13]) * d + axis),
        load(rows, (start + position[at + 14]) * d + axis),
        load(rows, (start + position[at + 15]) * d + axis),
    )


@inlined
def _pair_of_scores(batch, place, d, directions, lengths, a, b):
    """Of two centres and the two vectors of points that begin at ``place``."""
    one, other = directions[a], directions[b]
    a_0 = a_1 = each(lengths, a)
    b_0 = b_1 = each(lengths, b)
    for axis in range(d):
        x_0, x_1 = load(batch, place), load(batch, place + WIDTH)
        to_a, to_b = each(one, axis), each(other, axis)
        a_0, a_1 = a_0 + x_0 * to_a, a_1 + x_1 * to_a
        b_0, b_1 = b_0 + x_0 * to_b, b_1 + x_1 * to_b
        place += PAIR
    return a_0, a_1, b_0, b_1


@inlined
def _four_scores(batch, place, d, directions, lengths, chosen):
    """Of the first four chosen centres: twice as many for each coordinate that is loaded."""
    a, b, c, e = chosen[0], chosen[1], chosen[2], chosen[3]
    ray_a, ray_b, ray_c, ray_e = directions[a], directions[b], directions[c], directions[e]
    a_0 = a_1 = each(lengths, a)
    b_0 = b_1 = each(lengths, b)
    c_0 = c_1 = each(lengths, c)
    e_0 = e_1 = each(lengths, e)
    for axis in range(d):
        x_0, x_1 = load(batch, place), load(batch, place + WIDTH)
        to_a, to_b = each(ray_a, axis), each(ray_b, axis)
        to_c, to_e = each(ray_c, axis), each(ray_e, axis)
        a_0, a_1 = a_0 + x_0 * to_a, a_1 + x_1 * to_a
        b_0, b_1 = b_0 + x_0 * to_b, b_1 + x_1 * to_b
        c_0, c_1 = c_0 + x_0 * to_c, c_1 + x_1 * to_c
        e_0, e_1 = e_0 + x_0 * to_e, e_1 + x_1 * to_e
        place += PAIR
    return a_0, a_1, b_0, b_1, c_0, c_1, e_0, e_1


@borrowing
def least_scores(batch, size, directions, lengths, chosen, n_chosen, least) -> None:
    """Least score of each point of a batch among some centres.

    Parameters
    ----------
    batch, size
        See :func:`gather`.
    directions, lengths : (k + 2, d), (k + 2,)
        Of the centres (:func:`note_centre`); the last one is none, and never the least.
    chosen : (n_chosen,) or longer
    least : (size rounded up to pairs,) or longer
        Filled; beyond ``size`` it means nothing.
    """
    none, d = len(lengths) - 1, directions.shape[1]
    depth, fours = (d + WIDTH - 1) & -WIDTH, n_chosen & -4
    for at in range(0, size, PAIR):
        least_0 = least_1 = each(lengths, none)
        for i in range(0, fours, 4):
            a_0, a_1, b_0, b_1, c_0, c_1, e_0, e_1 = _four_scores(
                batch, at * depth, d, directions, lengths, chosen[i:]
            )
            least_0 = smaller(smaller(least_0, smaller(a_0, b_0)), smaller(c_0, e_0))
            least_1 = smaller(smaller(least_1, smaller(a_1, b_1)), smaller(c_1, e_1))
        for i in range(fours, n_chosen, 2):
            a, b = chosen[i], chosen[i + 1] if i + 1 < n_chosen else none
            a_0, a_1, b_0, b_1 = _pair_of_scores(batch, at * depth, d, directions, lengths, a, b)
            least_0 = smaller(least_0, smaller(a_0, b_0))
            least_1 = smaller(least_1, smaller(a_1, b_1))
        store(least, at, least_0)
        store(least, at + WIDTH, least_1)


@inlined
def _ranked(score, number, least, second, label):
    """The least score, the second least one, and whose the least is, with one more."""
    label = where_less(score, least, spread(float(number)), label)
    second = smaller(second, larger(score, least))
    return smaller(least, score), second, label


@borrowing
def two_least_scores(
    batch, size, directions, lengths, chosen, n_chosen, least, second, label
) -> None:
    """As :func:`least_scores`, with the second least one, and the centre that has the least."""
    none, d = len(lengths) - 1, directions.shape[1]
    depth, fours = (d + WIDTH - 1) & -WIDTH, n_chosen & -4
    for at in range(0, size, PAIR):
        least_0 = least_1 = second_0 = second_1 = each(lengths, none)
        label_0 = label_1 = spread(0.0)
        for i in range(0, fours, 4):
            a_0, a_1, b_0, b_1, c_0, c_1, e_0, e_1 = _four_scores(
                batch, at * depth, d, directions, lengths, chosen[i:]
            )
            a, b, c, e = chosen[i], chosen[i + 1], chosen[i + 2], chosen[i + 3]
            least_0, second_0, label_0 = _ranked(a_0, a, least_0, second_0, label_0)
            least_1, second_1, label_1 = _ranked(a_1, a, least_1, second_1, label_1)
            least_0, second_0, label_0 = _ranked(b_0, b, least_0, second_0, label_0)
            least_1, second_1, label_1 = _ranked(b_1, b, least_1, second_1, label_1)
            least_0, second_0, label_0 = _ranked(c_0, c, least_0, second_0, label_0)
            least_1, second_1, label_1 = _ranked(c_1, c, least_1, second_1, label_1)
            least_0, second_0, label_0 = _ranked(e_0, e, least_0, second_0, label_0)
            least_1, second_1, label_1 = _ranked(e_1, e, least_1, second_1, label_1)
        for i in range(fours, n_chosen, 2):
            a, b = chosen[i], chosen[i + 1] if i + 1 < n_chosen else none
            a_0, a_1, b_0, b_1 = _pair_of_scores(batch, at * depth, d, directions, lengths, a, b)
            least_0, second_0, label_0 = _ranked(a_0, a, least_0, second_0, label_0)
            least_1, second_1, label_1 = _ranked(a_1, a, least_1, second_1, label_1)
            least_0, second_0, label_0 = _ranked(b_0, b, least_0, second_0, label_0)
            least_1, second_1, label_1 = _ranked(b_1, b, least_1, second_1, label_1)
        store(least, at, least_0)
        store(least, at + WIDTH, least_1)
        store(second, at, second_0)
        store(second, at + WIDTH, second_1)
        store(label, at, label_0)
        store(label, at + WIDTH, label_1)


@borrowing
def bounds(length, one, other, size, error, unit, upper, margin) -> None:
    """From scores to distances: at most this far from ``one``, at least so much nearer than
    ``other``."""
    for i in range(size):
        far = float(length[i]) + float(other[i]) - error
        upper[i] = unit * np.sqrt(max(0.0, float(length[i]) + float(one[i]) + error))
        margin[i] = unit * np.sqrt(far if far > 0.0 else 0.0) - upper[i]
