"""``prviz.play`` and ``prviz.embed``, which import the player on first use."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .engine.kernels import Problem
from .engine.schedule import Level

if TYPE_CHECKING:
    from .notebook.theatre import Theatre


def play(
    problem: Problem,
    k1: int | Literal["all"] | None = None,
    m1: int | None = None,
    alpha: float = 0.0,
    *,
    probability: float | None = None,
    subset: str = "random",
    levels: Sequence[Level] | None = None,
    seed: int = 0,
    seconds: float | None = None,
    calls: int | None = None,
    data: Any = None,
) -> Theatre:
    """Watch a search in a notebook, with sliders above it.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`. The variables of a problem from
        :func:`prviz.wrap` must be a vector, or rows of two numbers.
    k1, m1, alpha, probability, subset, levels, seed, seconds, calls
        Initial values of the sliders, as in :func:`prviz.run`. The default budget is 10 CPU
        seconds. With ``levels``, there are no sliders.
    data : optional
        The data set of the problem, such as ``prviz.datasets.a3_like()``, to show its name and
        ground truth.

    Returns
    -------
    Theatre
        Displayed as the last line of a cell.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    ImportError
        anywidget is not installed.
    """
    from .notebook import play as play_in_notebook

    return play_in_notebook(
        *(problem, k1, m1, alpha),
        probability=probability,
        subset=subset,
        levels=levels,
        seed=seed,
        seconds=seconds,
        calls=calls,
        data=data,
    )


def embed(
    problem: Problem,
    path: str | os.PathLike[str] = "page.html",
    k1: int | Literal["all", "auto"] | None = None,
    m1: int | None = None,
    alpha: float = 0.0,
    *,
    subset: str = "random",
    seed: int = 0,
    calls: int = 5000,
    data: Any = None,
) -> Path:
    """Write a web page that searches a problem live, without a server.

    The page has sliders for k₁, M₁, α, the seed and a middle level. Readers can also let the search
    choose k₁, M₁ and α, and draw points on a page of k-means. The search runs in the browser and
    gives the same trace as :func:`prviz.run` with the same arguments. The page needs no network, so
    you can open it from a disk. A link can set its controls: ``page.html?k1=3&seed=7&hide=m2``.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`. There is no live page for your own
        functions, float32 dissimilarities, and hidden Markov models of series or with plain
        Baum–Welch.
    path : path-like
        The file to write.
    k1, m1, alpha, subset, seed
        Initial values of the controls; see :func:`prviz.run`. With ``k1="auto"`` the search chooses
        k₁, M₁ and α, and you cannot pass ``alpha``.
    calls : int
        Optimiser calls per search, at most a million.
    data : optional
        The data set of the problem, such as ``prviz.datasets.a3_like()``. The page shows its name
        and ground truth.

    Returns
    -------
    pathlib.Path
        Path of the file.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    from .live_page.embed import embed as embed_in_page

    return embed_in_page(
        *(problem, path, k1, m1, alpha), subset=subset, seed=seed, calls=calls, data=data
    )
