"""The page of the restricted Boltzmann machine, trained on binary examples."""

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
        f"## Examples and credits\n**{examples.name.capitalize()}**: {n} examples of "
        f"{n_visible} bits each; {examples.source}.\n\n{CREDITS}"
    )


SEEING = """
## What you are seeing
**The picture.** A restricted Boltzmann machine has visible units, the bits of an example, and
hidden units that learn which bits occur together. Each bar is the machine's exact probability of a
pattern. The tick on the bar is the pattern's share of the examples: in a good machine every bar
ends at its tick. The other examples share one bar. All patterns outside the examples share one bar
too; it should be 0. Below are samples of the machine. Samples that are not examples are pale. The
random numbers stay the same, so a sample changes only if the machine does.

On the right are the weights. Each row of cells is a hidden unit, with its bias at the left and then
its weights to the visible units. Negative weights are purple, positive ones green; a larger weight
has a stronger colour. The last row has the visible units' biases. Kept parameters have a green
tint, redrawn ones an orange frame, and after a restart all are blue.

**The search.** A restart throws away everything that the machine has learnt. Partial
reinitialisation redraws each parameter with probability p (outlined in orange), trains again, and
compares. If the cost is no higher, the result is kept; otherwise it is reverted. The variables are
the single weights and biases, so a few redrawn ones are soon learnt again.

**The numbers.** P(example) is the probability of a training example, as the geometric mean over all
of them. The curve shows its negative logarithm, the paper's −O_ML: the mean of −ln P(v) over the
examples, plus λ ΣW²/2, computed exactly by enumerating the smaller layer. With weight decay the
page shows −O_ML itself. With both methods the four patterns get half of the probability, because
they are half of the examples. Partial reinitialisation gains on the other half. In the quick look
with seed 0, it leaves 6 % of the probability to patterns outside the examples; full restarts leave
16 %.

**Where it gains nothing.** With the preset *where it gains nothing*, a call trains for 10 000
epochs instead of 1000. After such long training, a restart is as good as a partial redraw. At equal
work partial reinitialisation ended ahead in 7 of 12 seeds, and full restarts in the other 5,
including seed 0. Over 20 seeds the mean O_ML after 50 calls was −3.157 with p = 0.1 and −3.154 with
full restarts, with standard errors of 0.006 and 0.003. So train longer first.

**The curve.** Contrastive divergence (CD-1) does not follow the cost. It is a heuristic with random
samples, so a call may end worse than it started. It stops after a fixed number of epochs, not at an
optimum. The small curve beside its name is the cost per epoch. Full restarts use the same seed and
start from scratch each time. With weight decay λ all machines end in similar states, and there is
less to gain. A partial redraw also trains the kept parameters longer. p = 0 redraws nothing and
only continues the training. Use it as the baseline: with 1000 epochs per call, it ended at a higher
cost than p = 0.1 (20 seeds). With full batches and 10⁵ epochs, 34 partial redraws at λ = 0 reached
the cost of 300 full restarts; continued training did not. At λ = 0.01 full restarts stayed 0.001
ahead (20 seeds each).
"""

CREDITS = (
    f"{page.PAPER} Its fourth benchmark is 100 examples of four patterns on 8 visible units, "
    "10 hidden units, contrastive divergence for 10⁵ epochs at a learning rate of 0.01, p = 0.1, "
    "λ = 0 or 0.01. Contrastive divergence: G. E. Hinton, *Training Products of Experts by "
    "Minimizing Contrastive Divergence*, Neural Computation 14, 2002."
)

page.show(rbm.BENCHMARK, words)
