"""Vectors of sixteen float32, for estimates with an error bound.

A register holds twice as many float32 as float64. ``simd8.py`` has the same functions for float64.
Arrays are flat, contiguous float32.
"""

from __future__ import annotations

import operator

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import models, register_model

from .simd8 import compiled

WIDTH = 16

_INDEX = ir.IntType(32)
_FLOATS = ir.VectorType(ir.FloatType(), WIDTH)


class _Vector(types.Type):
    def __init__(self):
        super().__init__("vector of 16")


_vector = _Vector()


@register_model(_Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _FLOATS)


def load(array, at):
    """Return the sixteen entries from ``at`` on."""
    return array[at : at + WIDTH].copy()


def store(array, at, vector):
    """Write sixteen entries from ``at`` on."""
    array[at : at + WIDTH] = vector


def each(array, at):
    """Return a vector that contains entry ``at`` sixteen times."""
    return np.full(WIDTH, array[at])


def spread(x):
    """Return a vector that contains a number sixteen times."""
    return np.full(WIDTH, x, np.float32)


def smaller(left, right):
    """Return the elementwise minimum: ``right`` where it is less, otherwise ``left``."""
    return np.where(right < left, right, left)


def larger(left, right):
    """Return the elementwise maximum: ``right`` where it is greater, otherwise ``left``."""
    return np.where(right > left, right, left)


def where_less(left, right, one, other):
    """Return ``one`` where ``left`` is less than ``right``, and ``other`` elsewhere."""
    return np.where(left < right, one, other)


def store_turned(array, at, stride, *vectors):
    """Transpose sixteen vectors: write entry i of all vectors at ``at + i * stride``."""
    for i, column in enumerate(np.array(vectors).T):
        array[at + i * stride :][:WIDTH] = column


def _address(builder, array, at):
    return builder.bitcast(builder.gep(array, [at]), _FLOATS.as_pointer())


def _every(builder, number):
    nothing = ir.Constant(_FLOATS, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(_INDEX, 0))
    zeros = ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, nothing, zeros)


@compiled(load, _vector, types.Array, types.Integer)
def _load(builder, array, at):
    vector = builder.load(_address(builder, array, at))
    vector.align = 4
    return vector


@compiled(store, types.none, types.Array, types.Integer, _Vector)
def _store(builder, array, at, vector):
    builder.store(vector, _address(builder, array, at)).align = 4


@compiled(each, _vector, types.Array, types.Integer)
def _each(builder, array, at):
    return _every(builder, builder.load(builder.gep(array, [at])))


@compiled(spread, _vector, types.Float)
def _spread(builder, x):
    return _every(builder, builder.fptrunc(x, ir.FloatType()))


@compiled(smaller, _vector, _Vector, _Vector)
def _smaller(builder, left, right):
    return builder.select(builder.fcmp_ordered("<", right, left), right, left)


@compiled(larger, _vector, _Vector, _Vector)
def _larger(builder, left, right):
    return builder.select(builder.fcmp_ordered(">", right, left), right, left)


@compiled(where_less, _vector, *[_Vector] * 4)
def _where_less(builder, left, right, one, other):
    return builder.select(builder.fcmp_ordered("<", left, right), one, other)


@compiled(store_turned, types.none, types.Array, types.Integer, types.Integer, *[_Vector] * WIDTH)
def _store_turned(builder, array, at, stride, *vectors):
    """Transpose the matrix of all vectors: swap blocks of 1, then 2, 4 and 8 numbers."""
    vectors = list(vectors)
    lanes = range(WIDTH)
    for size in (1, 2, 4, 8):
        upper = [lane + WIDTH - size if lane & size else lane for lane in lanes]
        lower = [lane + WIDTH if lane & size else lane + size for lane in lanes]
        upper, lower = (ir.Constant(ir.VectorType(_INDEX, WIDTH), mask) for mask in (upper, lower))
        for i in lanes:
            if not i & size:
                pair = vectors[i], vectors[i + size]
                vectors[i] = builder.shuffle_vector(*pair, upper)
                vectors[i + size] = builder.shuffle_vector(*pair, lower)
    for vector in vectors:
        _store(builder, array, at, vector)
        at = builder.add(at, stride)


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
):

    @compiled(_operation, _vector, _Vector, _Vector)
    def _combine(builder, left, right, instruction=_instruction):
        return getattr(builder, instruction)(left, right)
