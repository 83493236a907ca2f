"""What is registered of a problem: its descriptor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..engine.protocols import Problem


class Example(NamedTuple):
    """A data set that needs no file.

    Attributes
    ----------
    data : function without arguments
        Make the data set, or return None if a size is all that the problem needs.
    size : int
        The size to search it with.
    """

    data: Callable[[], Any]
    size: int


def _unknown(data: Any, size: int) -> float | None:
    return None


class Source(NamedTuple):
    """Where a command takes a problem from: a file or an example.

    Attributes
    ----------
    name : str
        One problem of its kind, at the start of a line: "Hidden Markov model".
    counts : str
        What ``--size`` is a number of: "states".
    make : function of a data set, a size and options
        Make the problem.
    examples : mapping of str to Example
        Data sets by name, at least one.
    holds : str
        What a file holds, for the help text; empty if no file is read.
    read : function of bytes and a file name, optional
        Read the content of a file as a data set, which has a ``name`` and may have a ``notice``.
        Its other parameters are options of the command line.
    size : function of a data set, optional
        Return the size, if the data set determines it.
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
        Its name in ``prviz``, in the addresses of pages and in the names of files.
    title : str
        What people read: "hidden Markov models".
    type : type
        Of its problems: ``KMeans``.
    make : function
        Makes one: ``prviz.kmeans``.
    tiny : function without arguments
        Makes one as small as can be, by which its kernels are compiled.
    seconds : float
        How long these take to compile, compared with other problems'.
    cases : function without arguments
        Makes small ones by name, of all its kinds, that are held to the contract.
    scene : str
        "module:name" of a function of a problem and its data set, or None, that makes the picture.
        A name, because scenes are imported only where something is drawn.
    source : Source
        Its files and examples on the command line.
    alpha : bool
        Whether α of equation (1) has an effect.
    paper : mapping of str to int or float
        The paper's setting as :func:`prviz.run` takes it; empty if the paper has none.
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
    alpha: bool = True
    paper: Mapping[str, Any] = {}
