"""Vectors of eight float64: a small set of vector instructions for kernels.

Numba relies on the compiler to vectorise. This fails for loops as short as a layer of ten units,
and for sums, whose order the compiler may not change. A *vector* is eight floats in one, two or
four registers: an LLVM vector in compiled code, and an array of eight in plain Python. All
functions take both. Arrays are flat, contiguous float64.

Results do not depend on the register width: sums have a fixed order, and no fused multiply-add is
used. ``limit``, ``less``, ``power_of_two``, ``exponent`` and ``mantissa`` also take single numbers.
"""

from __future__ import annotations

import math
import operator

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

WIDTH = 8

_INDEX = ir.IntType(32)
_FLOATS = ir.VectorType(ir.DoubleType(), WIDTH)
_BITS = ir.VectorType(ir.IntType(64), WIDTH)
_BYTE = ir.IntType(WIDTH)
_SWITCHES = ir.VectorType(ir.IntType(1), WIDTH)
_WHOLE = ir.IntType(64)

#: After adding this to a float, the last bits of the sum are the nearest whole number.
SHIFT = 1.5 * 2.0**52
#: Value of the lowest bit of a fraction with 32 bits.
FRACTION = 2.0**-32
#: Values of the eight lowest bits of a number.
_PLACES = 2.0 ** np.arange(WIDTH)
#: Bit masks of a float: its fraction, and the bits of 1.0.
_FRACTION, _ONE = (1 << 52) - 1, 1023 << 52


def padded(n: int) -> int:
    """Return ``n`` rounded up to a multiple of eight."""
    return -(-n // WIDTH) * WIDTH


class _Vector(types.Type):
    def __init__(self):
        super().__init__("vector")


_vector = _Vector()


@register_model(_Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _FLOATS)


def load(array, at):
    """Return the eight entries from ``at`` on."""
    return array[at : at + WIDTH].copy()


def strided(array, at, stride):
    """Return eight entries: ``at``, ``at + stride``, ``at + 2 * stride``, …."""
    return array[at::stride][:WIDTH].copy()


def store(array, at, vector):
    """Write eight entries from ``at`` on."""
    array[at : at + WIDTH] = vector


def each(array, at):
    """Return a vector that contains entry ``at`` eight times."""
    return np.full(WIDTH, array[at])


def spread(x):
    """Return a vector that contains a number eight times."""
    return np.full(WIDTH, x)


def vector_of(a, b, c, d, e, f, g, h):
    """Return eight numbers as a vector."""
    return np.array([a, b, c, d, e, f, g, h])


def limit(vector, low, high):
    """Clip each number to ``low`` … ``high``; NaN becomes ``low``."""
    if isinstance(vector, float):
        return min(max(low, float(vector)), high)
    return np.fmin(np.fmax(vector, low), high)


def smaller(left, right):
    """Return the elementwise minimum: ``right`` where it is less, otherwise ``left``."""
    return np.where(right < left, right, left)


def larger(left, right):
    """Return the elementwise maximum: ``right`` where it is greater, otherwise ``left``."""
    return np.where(right > left, right, left)


def less(left, right):
    """Return 1.0 where ``left`` is less than ``right``, otherwise 0.0."""
    return 1.0 * (left < right)


def kept(vector, where):
    """Return each number of ``vector`` where ``where`` is positive, otherwise 0.0."""
    return np.where(where > 0.0, vector, 0.0)


def largest(vector):
    """Return the largest of the eight numbers."""
    return vector.max()


def total(vector):
    """Return the sum of the eight numbers."""
    return vector.sum()


def totals(a, b, c, d, e, f, g, h):
    """Return the sum of each of eight vectors, as a vector."""
    return np.array([vector.sum() for vector in (a, b, c, d, e, f, g, h)])


def mask(left, right):
    """Return a whole number whose bits are ``left < right``. Bit 0 is for the first numbers."""
    return int((less(left, right) * _PLACES).sum())


def bits(number):
    """Return the eight lowest bits of a whole number as 0.0 or 1.0, the lowest bit first."""
    return (number >> np.arange(WIDTH) & 1).astype(np.float64)


def fractions(words, at):
    """Return eight 32-bit numbers (two per word) from ``at`` on, divided by 2^32."""
    return words.view(np.uint32)[at : at + WIDTH] * FRACTION


def power_of_two(shifted):
    """Return 2^n for ``shifted`` = n + ``SHIFT``, whose lowest bits are the bits of n."""
    if isinstance(shifted, float):
        return math.ldexp(1.0, int(shifted - SHIFT))
    return ((shifted.view(np.int64) + 1023) << 52).view(np.float64)


def exponent(vector):
    """Return the whole number n in x = m · 2^n with 1 ≤ m < 2, for positive, normal x."""
    if isinstance(vector, float):
        return math.frexp(vector)[1] - 1.0
    return ((vector.view(np.int64) >> 52) - 1023) * np.float64(1.0)


def mantissa(vector):
    """Return m in x = m · 2^n with 1 ≤ m < 2, for positive, normal x."""
    if isinstance(vector, float):
        return 2.0 * math.frexp(vector)[0]
    return (vector.view(np.int64) & _FRACTION | _ONE).view(np.float64)


def compiled(function, result, *arguments):
    """Register LLVM instructions for ``function`` with these types of arguments.

    This decorates ``generate(builder, *values)``. An array is passed as a pointer to its numbers.
    """

    @infer_global(function)
    class _(AbstractTemplate):
        key = function

        def generic(self, given, keywords):
            given = tuple(map(types.unliteral, given))
            fits = len(given) == len(arguments) and all(map(isinstance, given, arguments))
            return signature(result, *given) if fits else None

    def decorate(generate):
        def lower(context, builder, sig, values):
            values = [
                _plain(context, builder, kind, value)
                for kind, value in zip(sig.args, values, strict=True)
            ]
            made = generate(builder, *values)
            return context.get_dummy_value() if made is None else made

        lower_builtin(function, *arguments)(lower)
        return generate

    return decorate


def _plain(context, builder, kind, value):
    """Return an argument in LLVM form: numbers as float64 or int64, arrays as pointers."""
    if isinstance(kind, types.Array):
        return context.make_array(kind)(context, builder, value).data
    if isinstance(kind, types.Integer):
        return context.cast(builder, value, kind, types.int64)
    if isinstance(kind, types.Float):
        return context.cast(builder, value, kind, types.float64)
    return value


def _address(builder, array, at):
    return builder.bitcast(builder.gep(array, [at]), _FLOATS.as_pointer())


def _alike(number, model):
    """Return a number as a constant of the type of ``model``, repeated if ``model`` is a vector."""
    kind = model.type
    return ir.Constant(kind, [number] * WIDTH if isinstance(kind, ir.VectorType) else number)


def _every(builder, number):
    """Return a vector that contains a number eight times."""
    nothing = ir.Constant(_FLOATS, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(_INDEX, 0))
    zeros = ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, nothing, zeros)


def _lanes(builder, vector):
    return [builder.extract_element(vector, ir.Constant(_INDEX, lane)) for lane in range(WIDTH)]


def _as_bits(builder, x):
    return builder.bitcast(x, _BITS if x.type == _FLOATS else _WHOLE)


def _as_floats(builder, bits):
    return builder.bitcast(bits, _FLOATS if bits.type == _BITS else ir.DoubleType())


def _to_floats(builder, whole):
    return builder.sitofp(whole, _FLOATS if whole.type == _BITS else ir.DoubleType())


@compiled(load, _vector, types.Array, types.Integer)
def _load(builder, array, at):
    vector = builder.load(_address(builder, array, at))
    vector.align = 8
    return vector


@compiled(strided, _vector, types.Array, types.Integer, types.Integer)
def _strided(builder, array, at, stride):
    vector = ir.Constant(_FLOATS, ir.Undefined)
    for lane in range(WIDTH):
        entry = builder.load(builder.gep(array, [at]))
        vector = builder.insert_element(vector, entry, ir.Constant(_INDEX, lane))
        at = builder.add(at, stride)
    return vector


@compiled(store, types.none, types.Array, types.Integer, _Vector)
def _store(builder, array, at, vector):
    builder.store(vector, _address(builder, array, at)).align = 8


@compiled(each, _vector, types.Array, types.Integer)
def _each(builder, array, at):
    return _every(builder, builder.load(builder.gep(array, [at])))


@compiled(spread, _vector, types.Float)
def _spread(builder, x):
    return _every(builder, x)


@compiled(vector_of, _vector, *[types.Float] * WIDTH)
def _vector_of(builder, *numbers):
    vector = ir.Constant(_FLOATS, ir.Undefined)
    for lane, number in enumerate(numbers):
        vector = builder.insert_element(vector, number, ir.Constant(_INDEX, lane))
    return vector


def _limit(builder, x, low, high):
    if x.type == _FLOATS:
        low, high = _every(builder, low), _every(builder, high)
    x = builder.select(builder.fcmp_ordered(">", x, low), x, low)
    return builder.select(builder.fcmp_ordered("<", x, high), x, high)


def _less(builder, left, right):
    if left.type != right.type:
        left = _every(builder, left)
    one, nothing = _alike(1.0, left), _alike(0.0, left)
    return builder.select(builder.fcmp_ordered("<", left, right), one, nothing)


@compiled(smaller, _vector, _Vector, _Vector)
def _smaller(builder, left, right):
    return builder.select(builder.fcmp_ordered("<", right, left), right, left)


@compiled(larger, _vector, _Vector, _Vector)
def _larger(builder, left, right):
    return builder.select(builder.fcmp_ordered(">", right, left), right, left)


@compiled(kept, _vector, _Vector, _Vector)
def _kept(builder, vector, where):
    nothing = _alike(0.0, vector)
    return builder.select(builder.fcmp_ordered(">", where, nothing), vector, nothing)


@compiled(largest, types.float64, _Vector)
def _largest(builder, vector):
    top, *others = _lanes(builder, vector)
    for lane in others:
        top = builder.select(builder.fcmp_ordered(">", lane, top), lane, top)
    return top


@compiled(total, types.float64, _Vector)
def _total(builder, vector):
    sums = _lanes(builder, vector)
    while len(sums) > 1:
        sums = [builder.fadd(*pair) for pair in zip(sums[::2], sums[1::2], strict=True)]
    return sums[0]


#: Lanes of the two summands in three rounds; lanes from 8 on are those of the second vector. After
#: the first round, each lane is the sum of two numbers; after the last round, the sum of eight.
_TURNS = (
    ((0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15)),
    ((0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)),
    ((0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)),
)


@compiled(totals, _vector, *[_Vector] * WIDTH)
def _totals(builder, *vectors):
    for turn in _TURNS:
        masks = [ir.Constant(ir.VectorType(_INDEX, WIDTH), list(lanes)) for lanes in turn]
        vectors = [
            builder.fadd(*(builder.shuffle_vector(*pair, mask) for mask in masks))
            for pair in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


@compiled(mask, types.int64, _Vector, _Vector)
def _mask(builder, left, right):
    switches = builder.bitcast(builder.fcmp_ordered("<", left, right), _BYTE)
    return builder.zext(switches, ir.IntType(64))


@compiled(bits, _vector, types.Integer)
def _bits(builder, number):
    switches = builder.bitcast(builder.trunc(number, _BYTE), _SWITCHES)
    return builder.uitofp(switches, _FLOATS)


@compiled(fractions, _vector, types.Array, types.Integer)
def _fractions(builder, words, at):
    numbers = builder.gep(builder.bitcast(words, _INDEX.as_pointer()), [at])
    numbers = builder.load(builder.bitcast(numbers, ir.VectorType(_INDEX, WIDTH).as_pointer()))
    numbers.align = 4
    scale = _every(builder, ir.Constant(ir.DoubleType(), FRACTION))
    return builder.fmul(builder.uitofp(numbers, _FLOATS), scale)


def _power_of_two(builder, shifted):
    bits = _as_bits(builder, shifted)
    bits = builder.shl(builder.add(bits, _alike(1023, bits)), _alike(52, bits))
    return _as_floats(builder, bits)


def _exponent(builder, x):
    bits = _as_bits(builder, x)
    shifted = builder.lshr(bits, _alike(52, bits))
    return _to_floats(builder, builder.sub(shifted, _alike(1023, bits)))


def _mantissa(builder, x):
    bits = _as_bits(builder, x)
    fraction = builder.and_(bits, _alike(_FRACTION, bits))
    return _as_floats(builder, builder.or_(fraction, _alike(_ONE, bits)))


compiled(less, _vector, _Vector, _Vector)(_less)
for _kind, _result in ((_Vector, _vector), (types.Float, types.float64)):
    compiled(limit, _result, _kind, types.Float, types.Float)(_limit)
    compiled(less, _result, types.Float, _kind)(_less)
    compiled(power_of_two, _result, _kind)(_power_of_two)
    compiled(exponent, _result, _kind)(_exponent)
    compiled(mantissa, _result, _kind)(_mantissa)


def _arithmetic(operation, instruction: str) -> None:
    """Define an operator between vectors, and between a vector and a number."""

    def generate(builder, left, right):
        left, right = (
            side if side.type == _FLOATS else _every(builder, side) for side in (left, right)
        )
        return getattr(builder, instruction)(left, right)

    for sides in ((_Vector, _Vector), (_Vector, types.Float), (types.Float, _Vector)):
        compiled(operation, _vector, *sides)(generate)


_arithmetic(operator.add, "fadd")
_arithmetic(operator.sub, "fsub")
_arithmetic(operator.mul, "fmul")
_arithmetic(operator.truediv, "fdiv")
