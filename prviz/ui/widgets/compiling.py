"""What a page says while its kernels are compiled: how long it still takes, and what is live."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from prviz import warm
from prviz.warm.queue import Stage

NAMES = {
    "Landscape": "landscapes",
    "KMeans": "k-means",
    "HMM": "hidden Markov models",
    "KMedoids": "k-medoids",
    "RBM": "Boltzmann machines",
}


def tell(problem_type: type) -> None:
    """Draw a bar of how far the kernels of a problem are; nothing if nobody here compiles them."""
    stages = warm.stages()
    if problem_type.__name__ in stages:
        st.progress(stages[problem_type.__name__].share, words(stages, problem_type.__name__))


def words(stages: Mapping[str, Stage], name: str) -> str:
    """When this problem will be live, and which are."""
    seconds = max(1, round(stages[name].seconds))
    live = [NAMES[each] for each in NAMES if each not in stages or stages[each].share == 1.0]
    already = f" Live already: {', '.join(live)}." if live else ""
    return f"The kernels of {NAMES[name]} are being compiled: live in about {seconds} s.{already}"
