"""Kernels dispatched by the type of the problem: ``functools.singledispatch`` for numba.

A kernel is called like an ordinary function, ``cost(problem, state)``, from plain Python and from
compiled code. The type of ``problem`` selects the implementation. Drivers could take kernels as
arguments instead, but Numba cannot cache such drivers.

A state is a NamedTuple of arrays or of nested NamedTuples. Compiled code gets states by reference.
The checkpoints of a hierarchy are states stacked along a new first axis. :func:`row` returns one of
these states as views.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.core.errors import NumbaError
from numba.extending import lower_builtin, overload, type_callable
from numba.np.arrayobj import make_array, populate_array

from .cache import DEBUG, LINKING, cached_njit
from .errors import explained, out_of_bounds
from .references import POINTER, Reference, address, by_reference, in_order, layout, read

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **LINKING}
if DEBUG:
    OPTIONS |= {"boundscheck": True}
#: Compiled wrappers for Python calls are slow to build, because states have many arrays. Functions
#: without a wrapper are compiled only for compiled callers; Python runs them uncompiled.
WITHIN = {"no_cpython_wrapper": True, **OPTIONS}

CACHE_LINE = 64  # bytes; the size of a vector


_written: list[Callable] = []  # the plain Python version of each compiled function
_interpreted: set[type] = set()
_plain_blocks = 0  # nesting depth of plain_python


def interpreted(problem) -> bool:
    """Return True if the kernels of a problem are Python and never compiled."""
    return type(problem) in _interpreted


@contextlib.contextmanager
def plain_python() -> Iterator[None]:
    """Run kernels and drivers as plain Python in this block: slow, but with tracebacks."""
    global _plain_blocks
    _plain_blocks += 1
    try:
        yield
    finally:
        _plain_blocks -= 1


def driver(function: Callable) -> Callable:
    """Compile a function that Python calls with positional arguments only.

    The function runs as plain Python if the kernels of its first argument do.
    """
    compiled = cached_njit(**OPTIONS)(function)
    if compiled is function:  # the compiler is off
        return function

    @functools.wraps(function)
    def call(*args):
        if _plain_blocks or type(args[0]) in _interpreted:
            return function(*args)
        try:
            return compiled(*args)
        except NumbaError as error:
            if DEBUG:
                raise
            raise explained(error, _written) from None
        except IndexError as error:
            if DEBUG:  # only debug mode checks bounds
                raise out_of_bounds(error, args) from None
            raise

    return _stands_for(compiled, call)


def _stands_for(compiled: Callable, called: Callable) -> Callable:
    """Make compiled code call ``compiled`` in place of ``called``."""
    called.compiled = compiled
    called._numba_type_ = compiled._numba_type_  # Numba reads the type of a global name here
    _written.append(compiled.py_func)
    return called


def _within(**options) -> Callable:
    """Return a decorator for functions that compiled code calls; Python runs them as written."""

    def decorate(function: Callable) -> Callable:
        compiled = cached_njit(**WITHIN, **options)(function)
        return function if compiled is function else _stands_for(compiled, function)

    return decorate


#: For functions that kernels and drivers call.
helper = _within()
#: For helpers in hot loops that allocate nothing. Their arguments are not reference-counted.
borrowing = _within(_nrt=False)
#: For the minimum or maximum of many numbers without NaN: vector instructions may compare them in
#: any order, because the result is the same. (For sums see ``engine/simd/sums.py``.)
extremal = _within(_nrt=False, fastmath={"nnan", "nsz"})
#: For functions of a few lines that run for every point, and for functions of vectors
#: (``engine/simd/simd8.py``), which must stay in registers.
inlined = _within(_nrt=False, forceinline=True)


def kernel(default: Callable) -> Any:
    """Make a kernel from ``default``, which runs for problems without a registered implementation.

    The result has a ``register(ProblemType)`` decorator. Implementations must take the same
    positional arguments as ``default``, the problem first. Implementations registered by
    ``register_python`` are never compiled, and neither are searches of their problems.
    """
    implementations: dict[type, Callable] = {}  # the Python function, for the compiler
    compiled: dict[type, Callable] = {}  # the function that Python calls

    @functools.wraps(default)
    def dispatcher(problem, *args):
        return compiled.get(type(problem), default)(problem, *args)

    @overload(dispatcher, strict=False, jit_options=OPTIONS)
    def typing(problem, *args):
        return implementations.get(getattr(problem, "instance_class", None), default)

    def register(problem_type: type) -> Callable:
        def decorate(function: Callable) -> Callable:
            implementations[problem_type] = function
            by_reference(problem_type)
            compiled[problem_type] = driver(function)
            return compiled[problem_type]

        return decorate

    def register_python(problem_type: type) -> Callable:
        def decorate(function: Callable) -> Callable:
            _interpreted.add(problem_type)
            compiled[problem_type] = function
            return function

        return decorate

    dispatcher.register = register
    dispatcher.register_python = register_python
    dispatcher.registered = implementations.keys()
    return dispatcher


def arrays_of(member: Any) -> Iterator[np.ndarray]:
    """Yield the arrays of a state or of one of its fields, including nested NamedTuples."""
    if isinstance(member, tuple):
        for each in member:
            yield from arrays_of(each)
    else:
        yield member


def map_arrays(function: Callable, member: Any) -> Any:
    """Return the same NamedTuple with ``function`` applied to each array."""
    if isinstance(member, tuple):
        return type(member)(*(map_arrays(function, each) for each in member))
    return function(member)


def copied_fields(state_type: type) -> list[str]:
    """Return the fields of a state that a copy needs: all except those in its ``WORKSPACE``."""
    workspace = getattr(state_type, "WORKSPACE", ())
    return [field for field in state_type._fields if field not in workspace]


def copy_arrays(target, source):
    """Copy ``source`` to ``target``, except working space."""
    for field in copied_fields(type(source)):
        pair = arrays_of(getattr(target, field)), arrays_of(getattr(source, field))
        for into, array in zip(*pair, strict=True):
            into[...] = array


@type_callable(copy_arrays)
def _type_copy_arrays(context):
    def typer(target, source):
        return types.none if in_order(target) and in_order(source) else None

    return typer


@lower_builtin(copy_arrays, Reference, Reference)
def _copy_arrays(context, builder, signature, pointers):
    def copy(references, pointers, fields):
        for field in fields:
            kinds = [reference.member(field) for reference in references]
            pairs = zip(references, pointers, strict=True)
            places = [read(context, builder, *pair, field) for pair in pairs]
            if isinstance(kinds[0], Reference):
                copy(kinds, places, kinds[0].instance_class._fields)
                continue
            into, array = (
                make_array(kind)(context, builder, place)
                for kind, place in zip(kinds, places, strict=True)
            )
            cgutils.raw_memcpy(builder, into.data, array.data, array.nitems, array.itemsize)

    copy(signature.args, pointers, copied_fields(signature.args[1].instance_class))
    return context.get_dummy_value()


def zeros(shape: tuple[int, ...], dtype) -> np.ndarray:
    """Return zeros that are aligned to a cache line, because misaligned vectors are slower.

    Alignment takes about 180 bytes per array, so stored states are not aligned.
    """
    if np.dtype(dtype).hasobject:  # Python objects of a wrapped problem are never in vectors
        return np.empty(shape, dtype)
    nbytes = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(nbytes + CACHE_LINE, np.uint8)  # takes no memory until a number is written
    begin = -room.ctypes.data % CACHE_LINE
    return room[begin : begin + nbytes].view(dtype).reshape(shape)


def stack(state, depth: int):
    """Return ``depth`` states of zeros with the shape of ``state``, stacked along a first axis."""
    return map_arrays(lambda array: zeros((depth, *array.shape), array.dtype), state)


def row(stacked, index):
    """Return state number ``index`` of ``stacked``, as views."""
    return map_arrays(lambda array: array[index], stacked)


@type_callable(row)
def _type_row(context):
    def typer(stacked, index):
        if not in_order(stacked) or not isinstance(index, types.Integer):
            return None
        return kind_of_row(stacked)

    def kind_of_row(member):
        if isinstance(member, Reference):
            return Reference(member.instance_class, tuple(map(kind_of_row, member.members)))
        return member.copy(ndim=member.ndim - 1)

    return typer


@lower_builtin(row, Reference, types.Integer)
def _row(context, builder, signature, arguments):
    """Make views on the caller's stack; they are overwritten if the caller repeats this call."""
    (stacked, index_type), kind = signature.args, signature.return_type
    pointer, index = arguments
    index = context.cast(builder, index, index_type, types.intp)
    record = cgutils.alloca_once(builder, layout(context, kind))

    def view(stacked, pointer, kind, record):
        for field in kind.instance_class._fields:
            place = address(context, builder, kind, record, field)
            member = read(context, builder, stacked, pointer, field)
            if isinstance(kind.member(field), Reference):
                view(stacked.member(field), member, kind.member(field), place)
                continue
            whole = make_array(stacked.member(field))(context, builder, member)
            shape = cgutils.unpack_tuple(builder, whole.shape)[1:]
            first, *strides = cgutils.unpack_tuple(builder, whole.strides)
            array = make_array(kind.member(field))(context, builder)
            populate_array(
                array,
                data=cgutils.pointer_add(builder, whole.data, builder.mul(index, first)),
                shape=shape,
                strides=strides,
                itemsize=whole.itemsize,
                meminfo=None,
                parent=None,
            )
            builder.store(array._getvalue(), place)

    view(stacked, pointer, kind, record)
    return builder.bitcast(record, POINTER)
