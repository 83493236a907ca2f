"""A restricted Boltzmann machine of binary examples: controls → run → player → words."""

import streamlit as st

from prviz.datasets import Examples
from prviz.ui.benchmarks import rbm
from prviz.ui.views import page


def words(values: dict, examples: Examples) -> None:
    """Draw the text below the player."""
    st.markdown(SEEING)
    optimiser = "exact ascent" if values["optimiser"] == "exact" else "contrastive divergence"
    page.algorithm("parameters", optimiser)
    n, n_visible = examples.examples.shape
    st.markdown(
        f"## Examples and credits\n**{examples.name.capitalize()}**: {n} of {n_visible} bits; "
        f"{examples.source}.\n\n{CREDITS}"
    )


SEEING = """
## What you are seeing
**The picture.** A restricted Boltzmann machine has visible units, the bits of an example, and
hidden units that learn which bits occur together. Each bar is the machine's exact probability of a
pattern, its tick the pattern's share of the examples: a good machine brings every bar to its tick.
The other examples share one bar. So do all patterns outside the examples, which should have
probability 0. Below are samples of the machine. Samples that are not examples are pale. The random
numbers stay the same, so a sample changes only if the machine does.

On the right are the weights. Each row of cells is a hidden unit: its weights to the visible units,
purple if negative and green if positive, stronger where the weight is larger, and its bias at the
left. The last row has the visible units' biases. Kept parameters have a green tint, redrawn ones an
orange frame, and after a restart all are blue.

**The search.** A restart throws away everything that the machine has learnt. Partial
reinitialisation redraws each parameter with probability p (outlined in orange), trains again, and
compares. If the cost is no higher, the result is kept; otherwise it is reverted. The variables are
the single weights and biases, so a few lost ones are soon learnt again.

**The numbers.** P(example) is the probability of a training example, as the geometric mean over all
of them. The curve shows its negative logarithm, the paper's −O_ML: the mean of −ln P(v) over the
examples, plus λ ΣW²/2, computed exactly by enumerating the smaller layer. With weight decay the
page shows −O_ML itself. The four patterns end at half of the probability for both methods, because
they are half of the examples. Partial reinitialisation gains on the other half. In the quick look,
seed 0, its machine gives 6 % to patterns outside the examples, that of full restarts 16 %.

**The curve.** Contrastive divergence (CD-1) does not follow the cost. It is a heuristic with random
samples, so a call may end worse than it started. It stops after a fixed number of epochs, not at an
optimum. The small curve beside its name is the cost per epoch. Full restarts use the same seed and
start from scratch each time. With weight decay λ all machines end in similar states, and there is
less to gain. A partial redraw also trains the kept parameters longer. p = 0 redraws nothing and
only continues the training. With 1000 epochs per call it ended higher than p = 0.1 (20 seeds), so
use it as the baseline. With 10⁵ epochs of all examples at once, 34 partial resets matched 300 full
ones at λ = 0, and continued training did not. At λ = 0.01 full resets stayed 0.001 ahead (20 seeds
each).
"""

CREDITS = (
    f"{page.PAPER} Its fourth benchmark is 100 examples of four patterns on 8 visible units, "
    "10 hidden ones, contrastive divergence for 10⁵ epochs at a learning rate of 0.01, p = 0.1, "
    "λ = 0 or 0.01. Contrastive divergence: G. E. Hinton, *Training Products of Experts by "
    "Minimizing Contrastive Divergence*, Neural Computation 14, 2002."
)

page.show(rbm.BENCHMARK, words)
