"""Kernels dispatched by the type of the problem: ``functools.singledispatch`` for numba.

A kernel is called as an ordinary function, ``cost(problem, state)``, from plain Python and from
compiled code alike; which implementation runs depends on the type of ``problem``. Functions
passed as arguments would do the same, but numba can't cache a driver that takes them.

States are NamedTuples of arrays, which compiled code gets by reference. Several states stacked
along a new first axis hold the checkpoints of a hierarchy; :func:`row` is one of them, as views.
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
from numba.core.registry import CPUDispatcher
from numba.extending import lower_builtin, overload, type_callable
from numba.np.arrayobj import make_array, populate_array

from .cache import DEBUG, LINKING, cached_njit
from .errors import explained, out_of_bounds
from .references import POINTER, Reference, address, by_reference, in_order, layout, read

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **LINKING}
if DEBUG:
    OPTIONS |= {"boundscheck": True}
#: Wrappers for Python take long to compile, as states have many arrays. What has none is compiled
#: for compiled code only; Python that calls it runs it as it is written.
WITHIN = {"no_cpython_wrapper": True, **OPTIONS}

CACHE_LINE = 64  # bytes; a vector is as long


class _Compiled(CPUDispatcher):
    """A function that Python may call; what is wrong with a kernel is said in a few lines."""

    def _compile_for_args(self, *args, **kwargs):
        try:
            return super()._compile_for_args(*args, **kwargs)
        except NumbaError as error:
            if DEBUG:
                raise
            raise explained(error, [each.py_func for each in _made]) from None

    if DEBUG:  # else bounds are not checked, and a call takes no way round

        def __call__(self, *args, **kwargs):
            try:
                return super().__call__(*args, **kwargs)
            except IndexError as error:
                raise out_of_bounds(error, args) from None


class _Searching(_Compiled):
    """A function of a problem; it runs as it is written where the problem's kernels do."""

    def __call__(self, problem, *args):
        if interpreted(problem):
            return self.py_func(problem, *args)
        return super().__call__(problem, *args)


class _AsWritten(CPUDispatcher):
    """A function that runs as it is written where Python calls it."""

    def __call__(self, *args, **kwargs):
        return self.py_func(*args, **kwargs)


_made: list[CPUDispatcher] = []
_interpreted: set[type] = set()


def interpreted(problem) -> bool:
    """Whether a problem's kernels are Python that is never compiled, and so its search."""
    return type(problem) in _interpreted


def _make(kind: type, **options) -> Callable:
    def decorate(function: Callable) -> Callable:
        compiled = cached_njit(**options)(function)
        if isinstance(compiled, CPUDispatcher):  # and not plain Python
            compiled.__class__ = kind
            _made.append(compiled)
        return compiled

    return decorate


def _within(**options) -> Callable:
    return _make(_AsWritten, **WITHIN, **options)


@contextlib.contextmanager
def plain_python() -> Iterator[None]:
    """In this block, kernels and drivers run as they are written: slowly, and with a traceback."""
    drivers = [(each, type(each)) for each in _made if isinstance(each, _Compiled)]
    for each, _ in drivers:
        each.__class__ = _AsWritten
    try:
        yield
    finally:
        for each, kind in drivers:
            each.__class__ = kind


#: Called from Python: what runs kernels.
driver = _make(_Compiled, **OPTIONS)
#: The same for what takes a problem first, and runs its kernels: these may be plain Python.
searching = _make(_Searching, **OPTIONS)
#: Called by kernels and drivers.
helper = _within()
#: For helpers in hot loops that allocate nothing: no counting of references to their arguments.
borrowing = _within(_nrt=False)
#: The same for the largest or smallest of many numbers, none NaN: then they may be compared in any
#: order, by vector instructions, and come to the same. (Sums don't: ``engine/simd/sums.py``.)
extremal = _within(_nrt=False, fastmath={"nnan", "nsz"})
#: Copied into their callers: helpers of a few lines that are run for every point, or on the vectors
#: of ``engine/simd/simd8.py``, which must stay in registers.
inlined = _within(_nrt=False, forceinline=True)


def kernel(default: Callable) -> Any:
    """Make a kernel of ``default``, which runs for every problem without a registered one.

    The result has a ``register(ProblemType)`` decorator. Implementations must take the same
    positional arguments as ``default``, the problem first. Those of ``register_python`` are never
    compiled, nor is the search of their problems.
    """
    implementations: dict[type, Callable] = {}  # as written, for the compiler
    compiled: dict[type, Callable] = {}  # as called from Python

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


def copied_fields(state_type: type) -> list[str]:
    """The fields of a state that a copy must have: all but those named in its ``WORKSPACE``."""
    workspace = getattr(state_type, "WORKSPACE", ())
    return [field for field in state_type._fields if field not in workspace]


def copy_arrays(target, source):
    """Make ``target`` hold what the state ``source`` holds, but for its working space."""
    for field in copied_fields(type(source)):
        getattr(target, field)[...] = getattr(source, field)


@type_callable(copy_arrays)
def _type_copy_arrays(context):
    def typer(target, source):
        return types.none if in_order(target) and in_order(source) else None

    return typer


@lower_builtin(copy_arrays, Reference, Reference)
def _copy_arrays(context, builder, signature, pointers):
    for field in copied_fields(signature.args[1].instance_class):
        kinds = [reference.member(field) for reference in signature.args]
        into, array = (
            make_array(kind)(context, builder, read(context, builder, reference, pointer, field))
            for kind, reference, pointer in zip(kinds, signature.args, pointers, strict=True)
        )
        cgutils.raw_memcpy(builder, into.data, array.data, array.nitems, array.itemsize)
    return context.get_dummy_value()


def zeros(shape: tuple[int, ...], dtype) -> np.ndarray:
    """As NumPy's, but from a cache line on: a vector that lies across two takes twice as long.

    It takes some hundred bytes more, so it is for states that are worked on, not for those kept.
    """
    if np.dtype(dtype).hasobject:  # of a wrapped problem, which has no vectors
        return np.empty(shape, dtype)
    nbytes = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(nbytes + CACHE_LINE, np.uint8)  # which takes no memory until it is used
    begin = -room.ctypes.data % CACHE_LINE
    return room[begin : begin + nbytes].view(dtype).reshape(shape)


def stack(state, depth: int):
    """``depth`` states of zeros, of the shape of ``state``, stacked along a new first axis."""
    return type(state)(*(zeros((depth, *array.shape), array.dtype) for array in state))


def row(stacked, index):
    """State number ``index`` of ``stacked``, as views."""
    return type(stacked)(*(array[index] for array in stacked))


@type_callable(row)
def _type_row(context):
    def typer(stacked, index):
        if not in_order(stacked) or not isinstance(index, types.Integer):
            return None
        members = tuple(member.copy(ndim=member.ndim - 1) for member in stacked.members)
        return Reference(stacked.instance_class, members)

    return typer


@lower_builtin(row, Reference, types.Integer)
def _row(context, builder, signature, arguments):
    """The views lie on the stack of the function that asks, until it asks at this place again."""
    (stacked, index_type), kind = signature.args, signature.return_type
    pointer, index = arguments
    index = context.cast(builder, index, index_type, types.intp)
    record = cgutils.alloca_once(builder, layout(context, kind))
    for field in kind.instance_class._fields:
        whole = make_array(stacked.member(field))(
            context, builder, read(context, builder, stacked, pointer, field)
        )
        shape = cgutils.unpack_tuple(builder, whole.shape)[1:]
        first, *strides = cgutils.unpack_tuple(builder, whole.strides)
        view = make_array(kind.member(field))(context, builder)
        populate_array(
            view,
            data=cgutils.pointer_add(builder, whole.data, builder.mul(index, first)),
            shape=shape,
            strides=strides,
            itemsize=whole.itemsize,
            meminfo=None,
            parent=None,
        )
        builder.store(view._getvalue(), address(context, builder, kind, record, field))
    return builder.bitcast(record, POINTER)
