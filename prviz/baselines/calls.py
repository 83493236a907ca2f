"""Run baselines call by call: the loop, the timing and the stored state."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..experiments.runs.contender import RunLimit
from ..experiments.runs.improvements import ImprovementRecorder, Improvements, nothing
from ..search.traced_search import generator


class Caller:
    """A running method, with its problem and its generator.

    Attributes
    ----------
    over : bool
        True if the method has ended.
    held
        The data that the method needs to continue, except the problem and the generator. Later
        calls do not change these data, and pickle supports them.
    around
        Function that returns a context manager in which all calls run. Entering it is not timed.
    """

    over: bool = False
    held: Any = None
    around: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext

    def call(self) -> tuple[Any, int]:
        """Make the next call; return its result and iterations (at least 1). This is timed."""
        raise NotImplementedError

    def cost(self, found: Any) -> float:
        """Return the cost as the problem defines it. This is not timed."""
        return found


@dataclasses.dataclass(frozen=True)
class Baseline:
    """A :class:`~prviz.experiments.runs.contender.Contender` that makes one call after another."""

    iteration: ClassVar[str] = ""
    #: Types of supported problems, and the functions that make them.
    problems: ClassVar[tuple[type, ...]]
    made_by: ClassVar[str]

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"baseline": type(self).__name__, **dataclasses.asdict(self)}

    def begin(self, problem: Any, seed: int) -> CallByCall:
        """Return a run with a seed, before its first call.

        Raises
        ------
        ValueError
            The problem is not supported.
        ImportError
            A package is not installed.
        """
        if not isinstance(problem, self.problems):
            raise ValueError(
                f"{type(self).__name__} is for problems that {self.made_by} makes, "
                f"not for a {type(problem).__name__}."
            )
        if np.any(np.asarray(getattr(problem, "weights", 1)) != 1):
            raise ValueError(f"{type(self).__name__} has no weights: each weight must be 1.")
        rng = generator(seed)
        held = self.caller(problem, rng, None).held
        return CallByCall(self, held, rng.bit_generator.state, nothing())

    def caller(self, problem: Any, rng: np.random.Generator, held: Any) -> Caller:
        """Return the method with the stored state ``held``, which is None before the first call."""
        raise NotImplementedError


class CallByCall(NamedTuple):
    """A :class:`~prviz.experiments.runs.contender.Trial` of a :class:`Baseline`."""

    contender: Baseline
    held: Any
    generator_state: Mapping[str, Any]
    improvements: Improvements
    done: bool = False

    @property
    def nbytes(self) -> int:
        return 0 if self.done else getattr(self.held, "nbytes", 0)

    def further(self, problem: Any, limit: RunLimit) -> CallByCall:
        rng = np.random.default_rng(0)
        rng.bit_generator.state = self.generator_state
        caller = self.contender.caller(problem, rng, self.held)
        recorder = ImprovementRecorder(self.improvements)
        last = recorder.n_rows + limit.calls
        with caller.around():
            while not caller.over and recorder.best > limit.target:
                if recorder.n_rows >= last or recorder.end(limit.axis) >= limit.until:
                    break
                began = time.thread_time()
                found, iterations = caller.call()
                seconds = time.thread_time() - began
                recorder.add_call(caller.cost(found), iterations, seconds)
        done = caller.over or recorder.best <= limit.target
        return self._replace(
            held=None if done else caller.held,
            generator_state=rng.bit_generator.state,
            improvements=recorder.improvements(caller.over),
            done=done,
        )


def positive(value: float, name: str) -> float:
    """Return a positive and finite number, or raise a ValueError."""
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {value}.")
    return value
