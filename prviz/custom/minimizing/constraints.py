"""Check bounds and constraints in SciPy's forms: feasibility and violations of points."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

#: A point is feasible if no limit is exceeded by more than this (relative to limits above 1).
#: SLSQP ends within 1e-6 of its constraints. SciPy's other methods end within 1e-8.
TOLERANCE = 1e-6
#: Lower and upper limit of the value, by the type of a constraint.
TYPES = {"eq": (0.0, 0.0), "ineq": (0.0, np.inf)}
KEYS = {"type", "fun", "jac", "args"}


class Limited(NamedTuple):
    """Values that depend on x, and the limits between which they must be."""

    name: str
    values: Callable[[np.ndarray], Any]
    low: Any
    high: Any

    def holds(self, x: np.ndarray) -> bool:
        """Return True if no value violates a limit by more than ``TOLERANCE``; False for NaN."""
        values = np.asarray(self.values(x), float)
        above = values >= self.low - TOLERANCE * np.maximum(1.0, np.abs(self.low))
        below = values <= self.high + TOLERANCE * np.maximum(1.0, np.abs(self.high))
        return bool(np.all(above & below))

    def violation(self, x: np.ndarray) -> float:
        """Return the largest violation of a limit: 0 if there is none, +∞ for NaN."""
        values = np.asarray(self.values(x), float)
        if np.isnan(values).any():
            return np.inf
        with np.errstate(invalid="ignore"):  # ∞ − ∞ if the value and its limit are infinite
            return float(np.fmax(self.low - values, values - self.high).max(initial=0.0))


def bounds_as_limits(low: np.ndarray, high: np.ndarray) -> list[Limited]:
    """Return bounds as limits of x itself."""
    return [Limited("bounds", _identity, low, high)] if len(low) else []


def _identity(x: np.ndarray) -> np.ndarray:
    return x


def constraints_as_list(constraints: Any) -> list[Any]:
    """Return a list of constraints for one constraint, for several, or for None."""
    if constraints is None:
        return []
    if isinstance(constraints, dict) or hasattr(constraints, "lb"):
        return [constraints]
    try:
        return list(constraints)
    except TypeError:
        raise TypeError(
            f"constraints must be dicts, LinearConstraints or NonlinearConstraints, "
            f"got {constraints!r}."
        ) from None


def limits_of(constraints: list[Any], n: int) -> list[Limited]:
    """Return constraints on n numbers as limits.

    Raises
    ------
    TypeError, ValueError
        A constraint has none of SciPy's types. The message names the constraint and the reason.
    """
    from scipy.optimize import LinearConstraint, NonlinearConstraint

    limits = []
    for i, each in enumerate(constraints):
        name = f"constraints[{i}]"
        if isinstance(each, dict):
            limits.append(_of_dict(each, name))
        elif isinstance(each, LinearConstraint):
            if each.A.shape[-1] != n:
                raise ValueError(f"{name}: A must have {n} columns, got {each.A.shape[-1]}.")
            limits.append(Limited(name, each.A.dot, each.lb, each.ub))
        elif isinstance(each, NonlinearConstraint):
            low, high = np.asarray(each.lb, float), np.asarray(each.ub, float)
            limits.append(Limited(name, each.fun, low, high))
        else:
            raise TypeError(
                f"{name} must be a dict, a LinearConstraint or a NonlinearConstraint, got {each!r}."
            )
    return limits


def _of_dict(given: dict[str, Any], name: str) -> Limited:
    if unknown := sorted(set(given) - KEYS, key=str):
        raise ValueError(f"{name} has the unknown key {unknown[0]!r}. Use type, fun, jac, args.")
    kind = str(given.get("type")).lower()
    if kind not in TYPES:
        raise ValueError(f"{name}: type must be 'eq' or 'ineq', got {given.get('type')!r}.")
    if not callable(given.get("fun")):
        raise TypeError(f"{name}: fun must be a function, got {given.get('fun')!r}.")
    args = given.get("args", ())
    args = args if isinstance(args, tuple) else (args,)
    return Limited(name, functools.partial(_call, given["fun"], args), *TYPES[kind])


def _call(fun: Callable[..., Any], args: tuple[Any, ...], x: np.ndarray) -> Any:
    return fun(x, *args)
