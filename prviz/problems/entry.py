"""The descriptor of a problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..engine.kernels import Problem


class Example(NamedTuple):
    """A data set that needs no file.

    Attributes
    ----------
    data : function without arguments
        Make the data set, or return None if the problem needs only a size.
    size : int
        The size to use in a search.
    """

    data: Callable[[], Any]
    size: int


class Variant(NamedTuple):
    """An additional problem class, whose kernels are compiled on first use.

    Attributes
    ----------
    title, type, tiny, seconds
        See :class:`Entry`.
    """

    title: str
    type: type
    tiny: Callable[[], Problem]
    seconds: float


def _unknown(data: Any, size: int) -> float | None:
    return None


class Source(NamedTuple):
    """How commands make a problem from a file or an example.

    Attributes
    ----------
    name : str
        Name of the problem in the singular, capitalised: "Hidden Markov model".
    counts : str
        Unit of ``--size``: "states".
    make : function of a data set, a size and options
        Make the problem.
    examples : mapping of str to Example
        Data sets by name, at least one.
    holds : str
        Content of a file, for the help text; empty if no file is read.
    read : function of bytes and a file name, optional
        Read a file's content as a data set with a ``name`` and perhaps a ``notice``. The function's
        other parameters become command-line options.
    size : function of a data set, optional
        Return the size, or None if the data set does not determine the size.
    known : function of a data set and a size
        Return the lowest known cost, or None.
    """

    name: str
    counts: str
    make: Callable[..., Problem]
    examples: Mapping[str, Example]
    holds: str = ""
    read: Callable[..., Any] | None = None
    size: Callable[[Any], int] | None = None
    known: Callable[[Any, int], float | None] = _unknown


class Entry(NamedTuple):
    """The descriptor of a problem.

    Attributes
    ----------
    id : str
        Name in ``prviz``, in page addresses and in file names.
    title : str
        Name for readers: "hidden Markov models".
    type : type
        Class of the problem: ``KMeans``.
    make : function
        Function that makes a problem: ``prviz.kmeans``.
    tiny : function without arguments
        Function that makes the smallest problem, used to compile its kernels.
    seconds : float
        Compile time, relative to other problems.
    cases : function without arguments
        Function that returns small problems of every kind, by name, for the contract tests.
    scene : str
        "module:name" of a function that draws a problem and its data set (or None). The function is
        given by name, because scenes are imported only to draw.
    source : Source
        How commands make the problem from a file or an example.
    live : str
        "module:name" of a function that takes a scene and a problem and returns the drawing data of
        a live page. The module registers ``draw``. Empty if the problem has no live page.
    alpha : bool
        Whether α of equation (1) has an effect.
    paper : mapping of str to int or float
        The paper's settings for :func:`prviz.run`; empty if the paper has none.
    kinds : mapping of type to str
        Other classes that ``make`` can return, mapped to their scenes.
    on_demand : mapping of str to Variant
        Other classes whose kernels a server compiles on demand, by name.
    """

    id: str
    title: str
    type: type
    make: Callable[..., Problem]
    tiny: Callable[[], Problem]
    seconds: float
    cases: Callable[[], Mapping[str, Problem]]
    scene: str
    source: Source
    live: str = ""
    alpha: bool = True
    paper: Mapping[str, Any] = {}
    kinds: Mapping[type, str] = {}
    on_demand: Mapping[str, Variant] = {}

    def scene_for(self, problem: Problem) -> str:
        """Return the name of the scene of a problem."""
        return self.kinds.get(type(problem), self.scene)
