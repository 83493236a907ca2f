"""What is registered of a problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """A problem as all others know it.

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
    """

    id: str
    title: str
    type: type
    make: Callable[..., Any]
    tiny: Callable[[], Any]
    seconds: float
    cases: Callable[[], Mapping[str, Any]]
