"""The page of the hidden Markov model of a string or a series."""

import streamlit as st

from prviz.datasets import Corpus, Series, Symbols
from prviz.ui.benchmarks import hmm
from prviz.ui.views import page

MOST_SHOWN = 100


def words(values: dict, symbols: Symbols | Corpus | Series) -> None:
    """Draw the text below the player."""
    if isinstance(symbols, Series):
        st.markdown(SEEING_SERIES)
        page.algorithm("states", "Baum–Welch")
        st.markdown(f"## The series and credits\n{_credits_of_series(symbols)}")
        return
    st.markdown(SEEING)
    if values["n_states"] >= len(symbols.sequence):
        st.markdown(ZERO)
    page.algorithm("states", "Baum–Welch")
    st.markdown(f"## The string and credits\n{_credits(symbols)}")


def _credits(symbols: Symbols | Corpus) -> str:
    different = len(symbols.alphabet)
    strings = f"{len(symbols.lengths)} strings, " if isinstance(symbols, Corpus) else ""
    lines = [
        f"**{symbols.name[:1].upper()}{symbols.name[1:]}**: {strings}{len(symbols.sequence)} "
        f"symbols, {different} different; {symbols.source}.",
        symbols.notice,
    ]
    numbers = ", ".join(
        f"{number} = {_code(symbol)}" for number, symbol in enumerate(symbols.alphabet)
    )
    return f"{' '.join(filter(None, lines))} The symbols' numbers: {numbers}.\n\n{CREDITS}"


def _credits_of_series(series: Series) -> str:
    T, d = series.values.shape
    names = ", ".join(f"`{name}`" for name in series.columns)
    parts = f"{len(series.lengths)} series, " if len(series.lengths) > 1 else ""
    lines = [
        f"**{series.name[:1].upper()}{series.name[1:]}**: {parts}{T} steps, {d} "
        f"{'column' if d == 1 else 'columns'} ({names}); {series.source}.",
        series.notice,
    ]
    return f"{' '.join(filter(None, lines))}\n\n{CREDITS}"


def _code(symbol: str) -> str:
    """Return a symbol as Markdown code, and a space as the word "blank"."""
    return {" ": "blank", "`": "`` ` ``"}.get(symbol, f"`{symbol}`")


SEEING = """
## What you are seeing
**The picture.** A hidden Markov model moves from state to state and emits a symbol in each. Each
cell is a symbol of the string. Its filled part is the probability of the symbol, given the symbols
before. An empty cell is a symbol that the model did not expect. The product of these probabilities
is P(string), the number above the picture. For comparison: coin tosses give a string of 64 bits
with probability 2⁻⁶⁴. The bar below a symbol belongs to the state that most probably emitted it:
green if that state was kept, orange if it was redrawn, blue after a restart.

**The model.** π is the probability of each state at the beginning of the string. A is the
probability of going from a state (row) to the next (column). B is the probability of each symbol
in a state (row). All three use a square-root scale, so that small probabilities are visible.
Baum–Welch changes all rows at once until the likelihood stops rising. *Sort by path* orders the
states by their first visit on the most probable path. The order stays until you press the button
again.

**The search.** A restart throws away the many states that are already good. Partial
reinitialisation redraws only k₁ of them (outlined: their rows and columns of A, their rows of B,
their entries of π), runs Baum–Welch, and compares. If the cost is no higher, the result is kept;
otherwise the search reverts to the checkpoint. After M₁ attempts everything is redrawn: a restart.

**The curve.** The cost is the negative logarithm of P(string), so lower is better. At 0 the
model reproduces the string with certainty. The small curve beside *Baum–Welch* is the cost of each
inner iteration; the dashed line is the checkpoint to beat. Full restarts use the same seed and
start from scratch each time. With 32 bits, restarts may keep up for a while. In the quick look,
with 64 bits, redraws end at a cost of 2.8 and restarts at 6.1 after equal iterations (medians of 20
seeds or more: benchmarks/results/quick_looks.md). With 128 bits, restarts stay far above.
"""

SEEING_SERIES = """
## What you are seeing
**The picture.** A hidden Markov model moves from state to state. In each state it emits numbers
from a normal distribution, or from a mixture of several (*Components per state* in the sidebar).
The line is the series. The band behind each stretch is the state that is most probable there, given
the whole series: its mean, and one standard deviation above and below. For a mixture, these are the
mean and the standard deviation of the whole mixture. Green states were kept, orange ones were
redrawn, blue ones follow a restart.

**The model.** π is the probability of each state at the beginning. A is the probability of going
from a state (row) to the next (column). Both use a square-root scale, so that small probabilities
are visible. Baum–Welch changes all states at once until the likelihood stops rising.

**The search.** Partial reinitialisation redraws only k₁ states: their rows and columns of A, their
entries of π, their means and variances. A new mean is a random observation. Baum–Welch runs, and
the search compares. If the cost is no higher, the result is kept; otherwise the search reverts to
the checkpoint. After M₁ attempts everything is redrawn: a restart.

**The curve.** The cost is the negative logarithm of the probability density, so lower is better;
it may be negative. Variances have a floor of 1/1000 of the variance of each column. Without it, a
state could collapse onto one observation, and the density would be infinite.
"""

ZERO = """
This model has a state for every symbol of the string, so it could reproduce the string and reach
cost 0, the dotted line.
"""

CREDITS = (
    f"{page.PAPER} Its first benchmark is one random string of 128 bits and a model with 128 "
    "states, k₁ = 8, M₁ ≈ 8000. Baum–Welch as in L. R. Rabiner, *A Tutorial on Hidden Markov "
    "Models and Selected Applications in Speech Recognition*, Proceedings of the IEEE 77, 1989."
)

page.show(hmm.BENCHMARK, words)
