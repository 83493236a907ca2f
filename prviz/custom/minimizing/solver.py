"""Check a call of ``scipy.optimize.minimize`` before the search computes anything."""

from __future__ import annotations

import difflib
import inspect
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...checks import real_number
from ..callables import as_number
from .constraints import Limited

#: Keywords of SciPy's global optimisers, and hints for what to pass instead.
INSTEAD = {
    "func": "Pass the function as fun.",
    "niter": "Pass calls, the number of local runs.",
    "maxiter": 'Pass calls or maxfev, or options={"maxiter": …} for each local run.',
    "maxfun": "Pass maxfev, the number of evaluations.",
    "stepsize": "Pass spread, the standard deviation of draws around x0.",
    "minimizer_kwargs": "Pass its entries as keywords: method, jac, options, …",
    "target": "Raise StopIteration in a callback to stop, or set maxfev.",
    "rng": "Pass seed, an integer.",
    "random_state": "Pass seed, an integer.",
    "disp": 'Pass options={"disp": True} for each local run.',
    "integrality": "Only real numbers are supported. Use prviz.wrap for integers.",
}
DIFFERENCES = ("2-point", "3-point", "cs")
UNKNOWN = "Unknown solver options: "  # the start of SciPy's warning


class _Reached(BaseException):
    """Raised when SciPy has accepted the call and evaluates ``fun``. No solver catches it."""


def check_keywords(
    settings: dict[str, Any], own: Sequence[str], minimise: Callable[..., Any]
) -> None:
    """Check that SciPy knows all keywords.

    Raises
    ------
    TypeError
        SciPy does not know a keyword.
    """
    known = {*own, *inspect.signature(minimise).parameters}
    for name in settings:
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), 1)
            hint = INSTEAD.get(name) or (f"Did you mean {near[0]}?" if near else "")
            raise TypeError(f"minimize got the unknown keyword {name!r}. {hint}".rstrip())


def check_values(settings: dict[str, Any]) -> None:
    """Check the types of ``method``, ``jac``, ``tol`` and ``options``.

    Raises
    ------
    TypeError, ValueError
        SciPy would ignore the value or fail later.
    """
    method, jac, tol = (settings.get(name) for name in ("method", "jac", "tol"))
    if not (isinstance(method, str) or callable(method)):
        raise TypeError(f"method must be a name or a function, got {method!r}.")
    known = jac in DIFFERENCES if isinstance(jac, str) else jac is None or isinstance(jac, bool)
    if not (callable(jac) or known):
        named = ", ".join(map(repr, DIFFERENCES))
        raise ValueError(f"jac must be a function, a bool or one of {named}, got {jac!r}.")
    if tol is not None and not real_number(tol, "tol") >= 0:
        raise ValueError(f"tol must be 0 or more, got {tol!r}.")
    if not isinstance(settings.get("options") or {}, dict):
        raise TypeError(f"options must be a dict, got {settings['options']!r}.")


def rehearse(minimise: Callable[..., Any], x: np.ndarray, settings: dict[str, Any]) -> None:
    """Let SciPy check the call, and stop when it first evaluates ``fun``.

    SciPy's warnings are passed on, for example the warning that a method cannot handle bounds.

    Raises
    ------
    TypeError, ValueError
        SciPy refuses the call, or does not know an option.
    """
    method = settings["method"]
    if callable(method):
        _check_own_method(method, x, settings)
        return
    stand_ins = [_stand_in(each) for each in settings["constraints"]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            minimise(_stop_at_call, x, **{**settings, "constraints": stand_ins})
        except _Reached:
            pass
        except (TypeError, ValueError) as error:
            raise type(error)(refusal(error)) from error
    for warning in caught:
        words = str(warning.message)
        if words.startswith(UNKNOWN):
            names = words.removeprefix(UNKNOWN)
            raise ValueError(f"method {method!r} does not know these options: {names}.")
        warnings.warn(words, warning.category, stacklevel=3)


def refusal(error: Exception) -> str:
    """Return a message about an error that SciPy raised."""
    words = str(error).rstrip(".")
    return f"scipy.optimize.minimize rejects the call: {words}."


def of_scipy(error: Exception) -> bool:
    """Return True if an error was raised by SciPy, not by a function that SciPy called."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return all("scipy" in Path(frame.filename).parts for frame in frames)


def _stop_at_call(*arguments: Any) -> float:
    raise _Reached


def _stand_in(constraint: Any) -> Any:
    """Return a constraint of the same kind that calls none of the user's functions."""
    if isinstance(constraint, dict):
        return {"type": constraint["type"], "fun": _zero}
    if not hasattr(constraint, "fun"):
        return constraint
    shape = np.broadcast_shapes(np.shape(constraint.lb), np.shape(constraint.ub))
    return type(constraint)(lambda x: np.zeros(shape), constraint.lb, constraint.ub)


def _zero(x: np.ndarray) -> float:
    return 0.0


def _check_own_method(method: Callable[..., Any], x: np.ndarray, settings: dict[str, Any]) -> None:
    """Check that a custom method accepts the arguments that SciPy passes."""
    names = ("args", "jac", "hess", "hessp", "bounds", "constraints", "callback")
    given = {name: settings.get(name) for name in names} | (settings.get("options") or {})
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # some functions in C have no signature
        return
    try:
        signature.bind(None, x, **given)
    except TypeError as error:
        raise TypeError(f"method must accept the arguments that SciPy passes: {error}.") from None


def try_out(cost: Any, x: np.ndarray, jac: Any, constraints: Sequence[Limited]) -> None:
    """Check the values that ``fun``, ``jac`` and the constraints return at x.

    ``cost.returned(x)`` is ``fun(x, *cost.args)``. Exceptions are ignored here, because the search
    later reports them with file and line.

    Raises
    ------
    TypeError, ValueError
        A function returns an invalid value.
    """
    returned, failed = _value(cost.returned, x)
    if not failed:
        gradient = None
        if jac is True:
            if not (isinstance(returned, tuple | list) and len(returned) == 2):
                raise TypeError(
                    f"With jac=True fun must return (value, gradient), got {_described(returned)}."
                )
            returned, gradient = returned
        try:
            as_number(returned)
        except (TypeError, ValueError):
            raise TypeError(
                f"fun must return one real number, got {_described(returned)}."
            ) from None
        if callable(jac):
            gradient, failed = _value(jac, x, *cost.args)
        if gradient is not None and not failed and np.size(gradient) != len(x):
            raise ValueError(f"jac must return {len(x)} numbers, got {np.size(gradient)}.")
    for constraint in constraints:
        returned, failed = _value(constraint.values, x)
        if not failed:
            _check_shape(constraint, returned)


def _check_shape(constraint: Limited, returned: Any) -> None:
    try:
        values = np.asarray(returned, float)
    except (TypeError, ValueError):
        raise TypeError(
            f"{constraint.name}: fun must return real numbers, got {_described(returned)}."
        ) from None
    limits = np.broadcast_shapes(np.shape(constraint.low), np.shape(constraint.high))
    try:
        np.broadcast_shapes(values.shape, limits)
    except ValueError:
        raise ValueError(
            f"{constraint.name}: fun returns an array of shape {values.shape}, but its limits have "
            f"shape {limits}."
        ) from None


def _value(function: Callable[..., Any], x: np.ndarray, *arguments: Any) -> tuple[Any, bool]:
    """Return the value of a function, and True if it raised an exception."""
    try:
        return function(x.copy(), *arguments), False
    except Exception:
        return None, True


def _described(value: Any) -> str:
    return (
        f"an array of shape {value.shape}"
        if np.ndim(value) and hasattr(value, "shape")
        else repr(value)
    )
