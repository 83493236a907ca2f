"""Messages while kernels are compiled: the time left, and the problems that are ready."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from prviz import warm
from prviz.problems import PROBLEMS
from prviz.warm.queue import Stage


def tell(name: str | None) -> None:
    """Draw a progress bar for the named kernels, if this process compiles them."""
    stages = warm.stages()
    if name in stages:
        with st.container(key="compiling"):  # the player below leaves space for the bar
            st.progress(stages[name].share, words(stages, name))


def words(stages: Mapping[str, Stage], name: str) -> str:
    """Return a message about the time left for these kernels, and about the ready problems."""
    soon = _soon(stages[name].seconds)
    done = [each for each in PROBLEMS if each not in stages or stages[each].share == 1.0]
    live = [PROBLEMS[each].title for each in done]
    already = f" Live already: {', '.join(live)}." if live else ""
    title = warm.KERNELS[name].title
    return f"The kernels of {title} are being compiled: {soon}.{already}"


def _soon(seconds: float) -> str:
    """Describe the time left: in steps of 1 s below a minute, and of 5 s above."""
    if seconds < 1:
        return "this takes a little longer than expected"
    if seconds < 60:
        return f"live in about {round(seconds)} s"
    minutes, rest = divmod(5 * round(seconds / 5), 60)
    return f"live in about {minutes} min" + (f" {rest} s" if rest else "")
