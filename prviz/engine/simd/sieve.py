"""Compare 64 numbers at once. The results are the bits of one word.

In most scans few numbers pass. A loop with a branch for each number is slow, because branches are
mispredicted. Here 64 numbers are compared at once, and a loop over the set bits visits the numbers
that pass, in order::

    word = near(offers, limits, begin)
    while word != 0:
        i = begin + lowest(word)
        word &= word - 1
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import types

from ..dispatch import inlined
from .simd8 import compiled

BLOCK = 64
_WORD = ir.IntType(BLOCK)


def near_in_block(offers, limits, at) -> int:
    """Return a word whose bit i is ``offers[at + i] <= limits[at + i]``, for 64 numbers."""
    return _word(offers[at : at + BLOCK] <= limits[at : at + BLOCK])


def equal_in_block(numbers, wanted, at) -> int:
    """Return a word whose bit i is ``numbers[at + i] == wanted``, for 64 int32 numbers."""
    return _word(numbers[at : at + BLOCK] == wanted)


def lowest(word) -> int:
    """Return the position of the lowest set bit. The word must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


@inlined
def near(offers, limits, at) -> int:
    """Return the result of :func:`near_in_block`, even if fewer than 64 numbers remain."""
    if at + BLOCK <= len(offers):
        return near_in_block(offers, limits, at)
    word = 0
    for i in range(at, len(offers)):
        word |= (offers[i] <= limits[i]) << (i - at)
    return word


@inlined
def equal(numbers, wanted, at) -> int:
    """Return the result of :func:`equal_in_block`, even if fewer than 64 numbers remain."""
    if at + BLOCK <= len(numbers):
        return equal_in_block(numbers, wanted, at)
    word = 0
    for i in range(at, len(numbers)):
        word |= (numbers[i] == wanted) << (i - at)
    return word


def _word(switches: np.ndarray) -> int:
    return int.from_bytes(np.packbits(switches, bitorder="little").tobytes(), "little")


def _block(builder, numbers, at):
    """Load 64 numbers as one vector, which the compiler splits into registers."""
    entry = numbers.type.pointee
    at = builder.bitcast(builder.gep(numbers, [at]), ir.VectorType(entry, BLOCK).as_pointer())
    vector = builder.load(at)
    vector.align = 4
    return vector


@compiled(near_in_block, types.int64, types.Array, types.Array, types.Integer)
def _near_in_block(builder, offers, limits, at):
    sides = _block(builder, offers, at), _block(builder, limits, at)
    return builder.bitcast(builder.fcmp_ordered("<=", *sides), _WORD)


@compiled(equal_in_block, types.int64, types.Array, types.Integer, types.Integer)
def _equal_in_block(builder, numbers, wanted, at):
    block = _block(builder, numbers, at)
    wanted = builder.trunc(wanted, block.type.element)
    wanted = builder.insert_element(
        ir.Constant(block.type, ir.Undefined), wanted, ir.Constant(ir.IntType(32), 0)
    )
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [0] * BLOCK)
    wanted = builder.shuffle_vector(wanted, wanted, zeros)
    return builder.bitcast(builder.icmp_signed("==", block, wanted), _WORD)


@compiled(lowest, types.int64, types.Integer)
def _lowest(builder, word):
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))
