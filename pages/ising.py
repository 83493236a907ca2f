"""Spin glasses: controls → run → player → words."""

import streamlit as st

from prviz.datasets import Couplings
from prviz.ui.benchmarks import ising
from prviz.ui.views import page


def words(values: dict, couplings: Couplings) -> None:
    """What stands below the player."""
    st.markdown(SEEING)
    page.algorithm("spins", "the local optimiser")
    st.markdown(f"## Data and credits\n{_credits(values, couplings)}")


def _credits(values: dict, couplings: Couplings) -> str:
    lines = [
        f"**{couplings.name}**: {len(couplings.fields)} spins, {len(couplings.pairs)} couplings; "
        f"{couplings.source}."
    ]
    if couplings.best_known is not None:
        known = "proven by transfer matrices" if values["data"] in ising.MADE else "known"
        best = f"Lowest energy {known}: {couplings.best_known:.10g}"
        if not couplings.fields.any() and values["data"] in ising.KNOWN:
            best += f", a cut of {couplings.cut(couplings.best_known):.10g}"
        lines.append(f"{best}.")
    lines.append(couplings.notice)
    return f"{' '.join(filter(None, lines))}\n\n{CREDITS}"


SEEING = """
## What you are seeing
**The picture.** Each square is a spin, filled where it points up. A line is a coupling J between
two spins: it is content if they point the same way where J > 0, and opposite ways where J < 0.
One that is not is *frustrated*, and lit. Not all can be content at once: round a square whose
couplings multiply to less than zero one always stays lit. A ground state pays the least for those.
A stub at the edge goes on at the opposite edge. A cube is drawn as its slices, side by side; a
stroke to the upper right leads to the next slice. What is redrawn is outlined. Spins of a graph
without places are put near those they are coupled to; where it has more than 4000 couplings they
are not drawn.

**The search.** The energy is E = −Σ J s s − Σ h s. The descent turns over one spin after the other
that lowers it. Partial reinitialisation draws k₁ spins afresh, with *patch* a spin and those around
it, lets the descent settle, and compares: no worse is kept, worse is taken back to the checkpoint.
With levels between, a larger patch is redrawn, repaired by M₁ redraws of small ones, and only then
judged.

**The curve.** Lowest energy so far, for this run and for full restarts alone with the same seed,
which stay far above on all but the smallest lattices. Simulated annealing is the method to beat
here, and it does beat patches in places: docs/beyond-the-paper.md has the comparison at equal
CPU time, and on the page *Race* it can be raced where dwave-samplers is installed.

**Other problems.** A maximal cut is a ground state with J = −w, and a QUBO one with fields; both
come in by *Paste or upload*.
"""

CREDITS = (
    f"{page.PAPER} Spin glasses: S. F. Edwards, P. W. Anderson, *Theory of spin glasses*, "
    "Journal of Physics F 5, 1975. Tabu search: F. Glover, *Tabu search, part I*, ORSA Journal on "
    "Computing 1, 1989. Places of a graph's spins: K. M. Hall, *An r-dimensional quadratic "
    "placement algorithm*, Management Science 17, 1970."
)

page.show(ising.BENCHMARK, words)
