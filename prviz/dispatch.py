"""Kernels dispatched by the type of the problem: ``functools.singledispatch`` for numba.

A kernel is called as an ordinary function, ``cost(problem, state)``, from plain Python and from
compiled code alike; which implementation runs depends on the type of ``problem``. Functions
passed as arguments would do the same, but numba can't cache a driver that takes them.

States are NamedTuples of arrays. Several states stacked along a new first axis hold the
checkpoints of a hierarchy; :func:`row` is one of them, as views.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numba.core import types
from numba.extending import overload

from ._numba_cache import LINKING, cached_njit

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **LINKING}
#: Wrappers for Python take long to compile, as states have many arrays. Whatever has none must not
#: be called from Python but by compiled code only: it would end the process.
WITHIN = {"no_cpython_wrapper": True, **OPTIONS}

#: Called from Python: what runs kernels.
driver = cached_njit(**OPTIONS)
#: Called by kernels and drivers.
helper = cached_njit(**WITHIN)
#: For helpers in hot loops that allocate nothing: no counting of references to their arguments.
borrowing = cached_njit(_nrt=False, **WITHIN)
#: The same for the largest or smallest of many numbers, none NaN: then they may be compared in any
#: order, by vector instructions, and come to the same. (Sums don't: ``problems/sums.py``.)
extremal = cached_njit(_nrt=False, fastmath={"nnan", "nsz"}, **WITHIN)
#: Copied into their callers: helpers of a few lines that are run for every point, or on the octets
#: of ``problems/octets.py``, which must stay in registers.
inlined = cached_njit(_nrt=False, forceinline=True, **WITHIN)


def kernel(default: Callable) -> Callable:
    """Make a kernel of ``default``, which runs for every problem without a registered one.

    The result has a ``register(ProblemType)`` decorator. Implementations must take the same
    positional arguments as ``default``, the problem first.
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
            compiled[problem_type] = driver(function)
            return compiled[problem_type]

        return decorate

    dispatcher.register = register
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


@overload(copy_arrays, jit_options=OPTIONS)
def _copy_arrays(target, source):
    fields = copied_fields(source.instance_class)
    body = "; ".join(f"target.{field}[...] = source.{field}" for field in fields)
    return _generated(f"def unrolled(target, source): {body}")


def stack(state, depth: int):
    """``depth`` states of zeros, of the shape of ``state``, stacked along a new first axis."""
    return type(state)(*(np.zeros((depth, *array.shape), array.dtype) for array in state))


def row(stacked, index):
    """State number ``index`` of ``stacked``, as views."""
    return type(stacked)(*(array[index] for array in stacked))


@overload(row, jit_options=OPTIONS)
def _row(stacked, index):
    if not isinstance(stacked, types.BaseNamedTuple):
        return None
    views = ", ".join(f"stacked[{i}][index]" for i in range(len(stacked)))
    return _generated(f"def unrolled(stacked, index): return kind({views})", stacked.instance_class)


def _generated(source: str, kind: type | None = None) -> Callable:
    """A function of one line a field: numba can't loop over fields of several types."""
    namespace = {"kind": kind}
    exec(source, namespace)
    return namespace["unrolled"]
