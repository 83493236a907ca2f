"""Random numbers by the thousand: many streams of one generator, advanced side by side.

A generator hands out one number after the other, at two or three nanoseconds each: more than an
epoch of a small Boltzmann machine has. So a call takes the seeds of ``LANES`` streams from it, of
C. Doty-Humphrey's generator SFC64 (as :class:`numpy.random.SFC64`), whose steps vector
instructions make for all streams at once.
"""

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import intrinsic, overload

from ..dispatch import OPTIONS, helper

LANES = 32
#: Uniform numbers that a step makes: two of 32 bits from each stream.
STEP = 2 * LANES
#: An octet of numbers that begins with one in use may end with so many that are not.
SPARE = 7
#: Steps after which three similar seeds no longer show.
WARM_UP = 12

BITS_53 = 2.0**53
_ONE = np.uint64(0x3FF0000000000000)  # the bits of 1.0
_U1, _U3, _U11, _U12, _U20, _U24, _U32, _U40 = map(np.uint64, (1, 3, 11, 12, 20, 24, 32, 40))


def room_for(n: int) -> np.ndarray:
    """Room for ``n`` uniform numbers, and for a little more, which may be read but isn't used."""
    return np.zeros(-(-(n + SPARE) // STEP) * STEP)


def empty_streams() -> np.ndarray:
    """Room for streams that have not begun."""
    return np.zeros((4, LANES), np.uint64)


@helper
def seed_streams(streams, uniforms, rng) -> None:
    """Begin ``LANES`` new streams.

    Parameters
    ----------
    streams : (4, LANES) uint64
        The three words of each stream and its counter.
    uniforms : (STEP or more,) float64
        Room for first numbers, which are not used.
    rng : numpy.random.Generator
    """
    for word in range(3):
        for lane in range(LANES):
            streams[word, lane] = np.uint64(rng.random() * BITS_53)
    for lane in range(LANES):
        streams[3, lane] = 1
    for _ in range(WARM_UP):
        fill(streams, uniforms[:STEP])


def fill(streams, uniforms):
    """Fill ``uniforms``, a multiple of ``STEP`` many, with numbers in [0, 1) of 32 bits."""
    a, b, c, counter = streams  # views
    for begin in range(0, len(uniforms), STEP):
        word = a + b + counter
        counter += _U1
        a[:] = b ^ (b >> _U11)
        b[:] = c + (c << _U3)
        c[:] = ((c << _U24) | (c >> _U40)) + word
        high, low = (word >> _U32) << _U20, (word << _U32) >> _U12
        uniforms[begin : begin + LANES] = (high | _ONE).view(np.float64) - 1.0
        uniforms[begin + LANES : begin + STEP] = (low | _ONE).view(np.float64) - 1.0


@intrinsic
def _as_float(typing, bits):
    def generate(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(types.float64))

    return types.float64(types.uint64), generate


@overload(fill, jit_options={**OPTIONS, "_nrt": False})
def _fill(streams, uniforms):
    def compiled(streams, uniforms):
        a, b, c, counter = streams[0], streams[1], streams[2], streams[3]
        for begin in range(0, len(uniforms), STEP):
            first = uniforms[begin : begin + LANES]
            second = uniforms[begin + LANES : begin + STEP]
            for lane in range(LANES):
                word = a[lane] + b[lane] + counter[lane]
                counter[lane] += _U1
                a[lane] = b[lane] ^ (b[lane] >> _U11)
                b[lane] = c[lane] + (c[lane] << _U3)
                c[lane] = ((c[lane] << _U24) | (c[lane] >> _U40)) + word
                first[lane] = _as_float(((word >> _U32) << _U20) | _ONE) - 1.0
                second[lane] = _as_float(((word << _U32) >> _U12) | _ONE) - 1.0

    return compiled
