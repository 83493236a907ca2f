"""Draw random numbers in bulk: many streams of one generator, advanced in parallel.

A NumPy generator returns one number at a time, in 2 to 3 ns. In an epoch of a small Boltzmann
machine, drawing random numbers takes longer than all other work. So a call draws only the seeds of
``LANES`` streams from this generator. Each stream is an SFC64 generator (C. Doty-Humphrey;
:class:`numpy.random.SFC64`). Vector instructions advance all streams at once.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from ..dispatch import OPTIONS, helper
from .simd8 import FRACTION, WIDTH

LANES = 32
#: Numbers per step: two 32-bit numbers from each stream.
STEP = 2 * LANES
#: Padding: a vector of eight numbers may begin at the last number, and reads seven more.
SPARE = 7
#: After this many steps, streams with similar seeds are no longer correlated.
WARM_UP = 12

BITS_53 = 2.0**53
_U1, _U3, _U11, _U24, _U40 = map(np.uint64, (1, 3, 11, 24, 40))


def room_for(n: int) -> np.ndarray:
    """Return space for ``n`` numbers, two per word, with padding for vectors."""
    return np.zeros(-(-(n + SPARE) // STEP) * LANES, np.uint64)


def empty_streams() -> np.ndarray:
    """Return space for streams without seeds."""
    return np.zeros((4, LANES), np.uint64)


@helper
def uniform(words, at) -> float:
    """Return random number ``at``, in [0, 1). The lower half of a word comes first."""
    half = words[at >> 1] >> np.uint64(32 * (at & 1))
    return float(half & np.uint64(0xFFFFFFFF)) * FRACTION


@helper
def seed_streams(streams, words, rng) -> None:
    """Start ``LANES`` new streams.

    Parameters
    ----------
    streams : (4, LANES) uint64
        Rows 0 to 2: the words of each stream. Row 3: its counter.
    words : (LANES or more,) uint64
        Space for the first numbers, which are not used.
    rng : numpy.random.Generator
    """
    for word in range(3):
        for lane in range(LANES):
            streams[word, lane] = np.uint64(rng.random() * BITS_53)
    for lane in range(LANES):
        streams[3, lane] = 1
    for _ in range(WARM_UP):
        fill(streams, words[:LANES])


def fill(streams, words):
    """Fill ``words`` with random bits; its length must be a multiple of ``LANES``."""
    a, b, c, counter = streams  # views
    for begin in range(0, len(words), LANES):
        word = a + b + counter
        counter += _U1
        a[:] = b ^ (b >> _U11)
        b[:] = c + (c << _U3)
        c[:] = ((c << _U24) | (c >> _U40)) + word
        words[begin : begin + LANES] = word


@overload(fill, jit_options={**OPTIONS, "_nrt": False})
def _fill(streams, words):
    return lambda streams, words: _fill_by_vectors(streams, words)


@intrinsic
def _fill_by_vectors(typing, streams, words):
    """Fill ``words`` like :func:`fill`, with eight streams at a time in registers."""

    def generate(context, builder, signature, arguments):
        vector = ir.VectorType(ir.IntType(64), WIDTH)
        streams, words = (
            context.make_array(kind)(context, builder, argument)
            for kind, argument in zip(signature.args, arguments, strict=True)
        )
        steps = builder.udiv(builder.extract_value(words.shape, 0), _whole(LANES))

        def address(array, at):
            return builder.bitcast(builder.gep(array.data, [at]), vector.as_pointer())

        def every(number):
            return ir.Constant(vector, [number] * WIDTH)

        for first in range(0, LANES, WIDTH):
            kept = [address(streams, _whole(part * LANES + first)) for part in range(4)]
            held = [cgutils.alloca_once_value(builder, _loaded(builder, at)) for at in kept]
            with cgutils.for_range(builder, steps) as loop:
                a, b, c, counter = map(builder.load, held)
                word = builder.add(builder.add(a, b), counter)
                turned = builder.or_(builder.shl(c, every(24)), builder.lshr(c, every(40)))
                after = (
                    builder.xor(b, builder.lshr(b, every(11))),
                    builder.add(c, builder.shl(c, every(3))),
                    builder.add(turned, word),
                    builder.add(counter, every(1)),
                )
                for value, at in zip(after, held, strict=True):
                    builder.store(value, at)
                at = builder.add(builder.mul(loop.index, _whole(LANES)), _whole(first))
                builder.store(word, address(words, at)).align = 8
            for value, at in zip(held, kept, strict=True):
                builder.store(builder.load(value), at).align = 8
        return context.get_dummy_value()

    return types.none(streams, words), generate


def _whole(number: int):
    return ir.Constant(ir.IntType(64), number)


def _loaded(builder, address):
    value = builder.load(address)
    value.align = 8
    return value
