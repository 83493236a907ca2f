"""Messages while kernels are compiled: the time left, and what is ready."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from prviz import warm
from prviz.player.batch.many import seconds_in_words
from prviz.problems import PROBLEMS
from prviz.warm.queue import Stage


def tell(name: str | None) -> None:
    """Draw a progress bar for the kernels of a problem, if this process compiles them."""
    stages = warm.stages()
    if name in stages:
        st.progress(stages[name].share, words(stages, name))


def words(stages: Mapping[str, Stage], name: str) -> str:
    """Return when this problem will be ready, and which problems are ready now."""
    seconds = round(stages[name].seconds)
    soon = f"live in about {seconds_in_words(seconds)}" if seconds > 1 else "live in a moment"
    done = [each for each in PROBLEMS if each not in stages or stages[each].share == 1.0]
    live = [PROBLEMS[each].title for each in done]
    already = f" Live already: {', '.join(live)}." if live else ""
    title = PROBLEMS[name].title
    return f"The kernels of {title} are being compiled: {soon}.{already}"
