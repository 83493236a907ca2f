"""The calculator of section 2.1: M from δ and ε, and δ from M and ε."""

from __future__ import annotations

import math

import streamlit as st

from prviz.engine.schedule import calls_needed, miss_probability
from prviz.figures.style import ten_to
from prviz.ui.serve.chart import chart
from prviz.ui.widgets.controls import remembered, remembered_number
from prviz.ui.widgets.formatting import digits, times_ten_to

LARGEST_M = 10**15
LOWEST_EPSILON = 1e-12  # smallest ε of the picture
SURE = 5e-4  # a probability closer to 1 than this is shown as 1 minus a small number
EXACT = 1e10  # below 10^−EXACT, the mantissa of a probability is not precise enough to show


@st.fragment
def calculator(page: str) -> None:
    """Draw the section of a page, with content only if the section is open."""
    key = f"{page}-calculator"
    section = st.expander(
        "How large must M be?",
        icon=":material/calculate:",
        key=remembered(key, False),
        on_change="rerun",
    )
    if not section.open:
        return
    with section:
        st.markdown(WORDS)
        sought = st.segmented_control(
            "Find",
            ["M", "δ"],
            format_func={"M": "M from δ and ε", "δ": "δ from M and ε"}.__getitem__,
            key=remembered(f"{key}-sought", "M"),
            required=True,
            label_visibility="collapsed",
        )
        with st.container(horizontal=True):
            if sought == "M":
                delta = _chance("δ", f"{key}-delta", 0.05, MISSED)
                epsilon = _chance("ε", f"{key}-epsilon", 0.1, IMPROVES)
                words, chosen = of_m(delta, epsilon)
            else:
                calls = remembered_number("M", 0, LARGEST_M, f"{key}-m", 29, help=REDRAWS)
                epsilon = _chance("ε", f"{key}-epsilon", 0.1, IMPROVES)
                words, chosen = of_delta(calls, epsilon)
        st.markdown(words)
        _picture(chosen, key)


def put(page: str, delta: float, epsilon: float) -> None:
    """Set the calculator of a page to these values, for the next script run."""
    key = f"{page}-calculator"
    st.session_state.update(
        {key: True, f"{key}-sought": "M", f"{key}-delta": delta, f"{key}-epsilon": epsilon}
    )


def of_m(delta: float, epsilon: float) -> tuple[str, tuple[float, float, float] | None]:
    """Return M as a sentence, and δ, ε, M as a point of the curve, if there is one."""
    if delta == 1:
        return "**M = 0.** With δ = 1 all improvements may be missed, so no redraw is needed.", None
    if epsilon == 1:
        return "**M = 1.** With ε = 1 every redraw improves.", None
    if epsilon == 0:
        return (
            "**M is unbounded.** With ε = 0 no redraw improves.",
            None,
        )
    if delta == 0:
        return (
            "**M is unbounded.** No number of redraws gives certainty (δ = 0). Choose δ above 0.",
            None,
        )
    calls = calls_needed(delta, epsilon)
    words = (
        f"**M = {digits(calls)}.** The chance that {_missing(calls)} is "
        f"{chance(calls, epsilon)}, at most δ = {delta:.12g}."
    )
    return f"{words}\n\nM = ⌈ln δ / ln(1 − ε)⌉", (delta, epsilon, calls)


def of_delta(calls: int, epsilon: float) -> tuple[str, tuple[float, float, float] | None]:
    """Return δ as a sentence, and the point (δ, ε, M) to mark on the curve, or None."""
    if calls == 0:
        return "**δ = 1.** With M = 0 nothing is redrawn, and every improvement is missed.", None
    if epsilon == 0:
        return "**δ = 1.** With ε = 0 no redraw improves, however many there are.", None
    if epsilon == 1:
        return "**δ = 0.** With ε = 1 every redraw improves: nothing is missed.", None
    delta = miss_probability(calls, epsilon)
    words = (
        f"**δ = {chance(calls, epsilon)}.** This is the chance that {_missing(calls)} the "
        "improvements."
    )
    return f"{words}\n\nδ = (1 − ε)ᴹ", (delta, epsilon, calls) if 0 < delta < 1 else None


def chance(calls: float, epsilon: float) -> str:
    """Format (1 − ε)^M, for example as "4.7 %" or "2.3·10⁻⁹"."""
    return percent(calls * math.log1p(-epsilon) / math.log(10))


def percent(exponent: float) -> str:
    """Format a probability given by its decimal logarithm."""
    rest = -math.expm1(exponent * math.log(10))
    if 0 < rest < SURE:  # with three digits it would look like 1
        less = percent(math.log10(rest))
        return f"100 % − {less}" if less.endswith("%") else f"1 − {less}"
    if exponent >= -4:
        return f"{100 * 10**exponent:.3g} %"
    if exponent < -EXACT:
        return ten_to(round(exponent))  # the mantissa is not precise enough
    power = math.floor(exponent)
    front = round(10 ** (exponent - power), 1)
    if front == 10:
        front, power = 1.0, power + 1
    return times_ten_to(front, power)


def _missing(calls: float) -> str:
    return "1 redraw misses" if calls == 1 else f"{digits(calls)} redraws all miss"


def _chance(label: str, key: str, first: float, words: str) -> float:
    return remembered_number(label, 0.0, 1.0, key, first, step=0.01, format="%g", help=words)


def _picture(chosen: tuple[float, float, float] | None, key: str) -> None:
    from prviz.figures.redraws import DELTAS, LOWEST, plot_redraws, redraws_info

    lowest, deltas = LOWEST, [*DELTAS]
    if chosen and chosen[1] < LOWEST_EPSILON:
        chosen = None  # far outside the picture, to the left
    if chosen:
        lowest = min(LOWEST, 10.0 ** math.floor(math.log10(chosen[1])))
        far = [delta for delta in DELTAS if not 0.4 < math.log(delta) / math.log(chosen[0]) < 2.5]
        deltas = sorted([*far, chosen[0]], reverse=True)
    figure = plot_redraws([redraws_info(delta, lowest) for delta in deltas], chosen, lowest)
    alt = "M against ε: a falling staircase for each δ. Both axes are logarithmic."
    chart(figure, f"{key}-picture", alt, "How many redraws: M against ε")


WORDS = """
If one redraw improves the configuration with a probability of at least ε, then M redraws all miss
with a probability of at most (1 − ε)ᴹ. If (1 − ε)ᴹ is at most δ, a configuration that M redraws
did not improve is optimal under redraws of that size, with probability 1 − δ (section 2.1 of the
paper).
"""
REDRAWS = "Redraws on a level per redraw on the level above."
MISSED = "Accepted probability of missing every improvement."
IMPROVES = "Probability that one redraw improves. The probe below estimates it."
