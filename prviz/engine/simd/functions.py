"""exp, ln, sine and cosine with the same bits on every machine, for numbers and vectors.

C libraries and NumPy choose an implementation by the processor, and results differ in the last bit.
The functions here use only operations whose results IEEE 754 defines: + − × ÷ and the bits of a
number. They are accurate to a few units in the last place. ``exponential``, ``logistic`` and
``logarithm`` take vectors (``simd8.py``) as well as numbers. The other functions take only numbers.
"""

from __future__ import annotations

import math

import numpy as np

from ..dispatch import borrowing, inlined
from .simd8 import SHIFT, exponent, less, limit, mantissa, power_of_two

#: Limits of x. Beyond them, e^x is not a normal number.
LOWEST, HIGHEST = -700.0, 700.0
#: The smallest normal number.
SMALLEST = 2.0**-1022

LN2 = 0.6931471805599453
_PER_LN2 = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # as in fdlibm
_2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17 = (
    1.0 / math.factorial(k) for k in range(2, 18)
)

_ROOT_2 = math.sqrt(2.0)
_1_3, _1_5, _1_7, _1_9, _1_11, _1_13, _1_15, _1_17, _1_19, _1_21, _1_23 = (
    1.0 / k for k in range(3, 24, 2)
)


@inlined
def exponential(x):
    """Return e^x, with x clipped to ``LOWEST`` … ``HIGHEST``."""
    return exponential_within(limit(x, LOWEST, HIGHEST))


@inlined
def exponential_within(x):
    """Return e^x for x between ``LOWEST`` and ``HIGHEST``.

    With x = n ln 2 + r and |r| ≤ ln 2 / 2, the Taylor series of e^r up to r^12 has an error of
    2e-16.
    """
    shifted = x * _PER_LN2 + SHIFT
    n = shifted - SHIFT
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    square = r * r
    fourth = square * square
    low = (r + 1.0) + square * (r * _3 + _2)
    middle = (r * _5 + _4) + square * (r * _7 + _6)
    high = (r * _9 + _8) + square * (r * _11 + _10)
    return (low + fourth * (middle + fourth * (high + fourth * _12))) * power_of_two(shifted)


@inlined
def logistic(x):
    """Return 1 / (1 + e^−x)."""
    return 1.0 / (1.0 + exponential(0.0 - x))


@inlined
def logarithm(x):
    """Return ln x for a positive, normal x.

    Let x = m 2^n with √½ < m ≤ √2. Then ln m = 2 artanh s with s = (m − 1) / (m + 1), a series in
    s².
    """
    m, n = mantissa(x), exponent(x)
    large = less(_ROOT_2, m)
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


@borrowing
def ln(x) -> float:
    """Return ln x of any number: −∞ for 0, NaN for negative x."""
    if not x > 0.0:
        return -np.inf if x == 0.0 else np.nan
    if x == np.inf:
        return x
    if x < SMALLEST:
        return logarithm(x * 2.0**54) - 54.0 * LN2
    return logarithm(x)


@borrowing
def ln_1_plus(x) -> float:
    """Return ln (1 + x) for x > −1, accurate also for small x.

    The rounding error of 1 + x cancels in ln (1 + x) / ((1 + x) − 1) (Kahan).
    """
    rounded = 1.0 + x
    return x if rounded == 1.0 else logarithm(rounded) * (x / (rounded - 1.0))


@borrowing
def softplus(x) -> float:
    """Return ln (1 + e^x)."""
    return max(x, 0.0) + ln_1_plus(exponential(-abs(x)))


@borrowing
def turn(z):
    """Return cos 2πz and sin 2πz.

    Whole and quarter turns are subtracted exactly. The remainder is at most an eighth of
    a turn, where the Taylor series up to the 16th and 17th power have an error below 1e-17.
    """
    part = z - np.rint(z)
    quarter = np.rint(4.0 * part)
    x = 6.283185307179586 * (part - 0.25 * quarter)
    s = x * x
    cosine = 1.0 - s * (_2 - s * (_4 - s * (_6 - s * (_8 - s * (_10 - s * (_12 - s * (
        _14 - s * _16)))))))  # fmt: skip
    sine = x * (1.0 - s * (_3 - s * (_5 - s * (_7 - s * (_9 - s * (_11 - s * (_13 - s * (
        _15 - s * _17))))))))  # fmt: skip
    if quarter == 0.0:
        return cosine, sine
    if quarter == 1.0:
        return -sine, cosine
    if quarter == -1.0:
        return sine, -cosine
    return -cosine, -sine
