"""A registry of views (figures, HTML) for results and data sets, filled by a higher layer.

The module that draws a type is imported on first use, so a search does not import Plotly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Views = Mapping[type, Callable[..., Any]]

_loaders: dict[str, Callable[[], Views]] = {}


def register(method: str, load: Callable[[], Views]) -> None:
    """Register a function that imports and returns the views of some types.

    Parameters
    ----------
    method : str
        The method that the views implement, such as "figure".
    load : callable
        Returns a dict of views by type. A view takes the object and the arguments of the method.
    """
    _loaders[method] = load


def show(method: str, shown: Any, *args: Any) -> Any:
    """Call the registered view of an object and return its result."""
    views = _loaders[method]() if method in _loaders else {}
    for kind in type(shown).__mro__:
        if kind in views:
            return views[kind](shown, *args)
    raise TypeError(f"no {method} is registered for {type(shown).__name__}.")


def figure(data: Any) -> Any:
    """Return a picture of the data, as a Plotly figure."""
    return show("figure", data)


def card(data: Any) -> str:
    """Return HTML for a notebook: a title, a table, and a still picture."""
    return show("_repr_html_", data)
