"""exp, ln and the logistic function of octets, to a few units in the last place."""

from __future__ import annotations

import math

from ..dispatch import inlined
from .octets import exponent, less, limit, mantissa, power_of_two, spread

#: Beyond these, e^x is no number of normal size; a logistic function is 0 or 1 long before.
LOWEST, HIGHEST = -700.0, 700.0

_SHIFT = 1.5 * 2.0**52  # added to a number, it leaves the nearest whole one in the last bits
_PER_LN2 = 1.0 / math.log(2.0)
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # as in fdlibm
_2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12 = (1.0 / math.factorial(k) for k in range(2, 13))

_ROOT_2 = math.sqrt(2.0)
_1_3, _1_5, _1_7, _1_9, _1_11, _1_13, _1_15, _1_17, _1_19, _1_21, _1_23 = (
    1.0 / k for k in range(3, 24, 2)
)


@inlined
def exponential(x):
    """e^x of an octet, each number between ``LOWEST`` and ``HIGHEST``; else it is taken as such.

    x = n ln 2 + r with |r| ≤ ln 2 / 2; of e^r, the Taylor series up to r^12 leaves out 2e-16.
    """
    x = limit(x, LOWEST, HIGHEST)
    shifted = x * _PER_LN2 + _SHIFT
    n = shifted - _SHIFT
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    square = r * r
    fourth = square * square
    low = (r + 1.0) + square * (r * _3 + _2)
    middle = (r * _5 + _4) + square * (r * _7 + _6)
    high = (r * _9 + _8) + square * (r * _11 + _10)
    return (low + fourth * (middle + fourth * (high + fourth * _12))) * power_of_two(shifted)


@inlined
def logistic(x):
    """1 / (1 + e^−x) of an octet."""
    return 1.0 / (1.0 + exponential(0.0 - x))


@inlined
def logarithm(x):
    """ln x of an octet of positive numbers.

    x = m 2^n with √½ < m ≤ √2, and ln m = 2 artanh s, s = (m − 1) / (m + 1), as a series in s².
    """
    m, n = mantissa(x), exponent(x)
    large = less(spread(_ROOT_2), m)
    m, n = m - (0.5 * large) * m, n + large
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    series = square * _1_23 + _1_21
    series = series * square + _1_19
    series = series * square + _1_17
    series = series * square + _1_15
    series = series * square + _1_13
    series = series * square + _1_11
    series = series * square + _1_9
    series = series * square + _1_7
    series = series * square + _1_5
    series = series * square + _1_3
    return n * _LN2_HIGH + (n * _LN2_LOW + (2.0 * s + 2.0 * s * square * series))
