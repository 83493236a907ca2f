"""The page of spin glasses."""

import streamlit as st

from prviz.datasets import Couplings
from prviz.ui.benchmarks import ising
from prviz.ui.views import page


def words(values: dict, couplings: Couplings) -> None:
    """Draw the text below the player."""
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
**The picture.** Each square is a spin; a filled square points up. A line is a coupling J between
two spins. It is satisfied if the spins are equal and J > 0, or if they are opposite and J < 0.
Otherwise it is *frustrated*, and highlighted. Not all couplings can be satisfied at once: around a
square with a negative product of couplings, at least one is frustrated. In a ground state, the
frustrated couplings have the lowest total cost. A line that ends at the edge continues at the
opposite edge. A cube is drawn as slices, side by side; a short line to the upper right leads to the
next slice. Redrawn spins are outlined. In a graph without coordinates, coupled spins are placed
near each other. If there are more than 4000 couplings, they are not drawn.

**The search.** The energy is E = −Σ Jᵢⱼ sᵢ sⱼ − Σ hᵢ sᵢ. The descent flips single spins while that
lowers the energy. Partial reinitialisation redraws k₁ spins (with *patch*, a spin and those around
it), runs the descent, and compares. If the energy is no higher, the result is kept; otherwise the
search reverts to the checkpoint. On more levels a larger patch is redrawn, then improved by M₁
redraws of small ones, and then kept or reverted.

**The curve.** The curve shows the lowest energy so far, for this run and for full restarts with
the same seed. Restarts stay far above on all but the smallest lattices. Simulated annealing is the
strongest rival, and beats patches on some instances: docs/beyond-the-paper.md compares both at
equal CPU time. The page *Race* offers simulated annealing if dwave-samplers is installed.

**Other problems.** A maximum cut is a ground state with J = −w, and the solution of a QUBO is a
ground state with fields. Use *Paste or upload* for both.
"""

CREDITS = (
    f"{page.PAPER} Spin glasses: S. F. Edwards, P. W. Anderson, *Theory of spin glasses*, "
    "Journal of Physics F 5, 1975. Tabu search: F. Glover, *Tabu search, part I*, ORSA Journal on "
    "Computing 1, 1989. Places of a graph's spins: K. M. Hall, *An r-dimensional quadratic "
    "placement algorithm*, Management Science 17, 1970."
)

page.show(ising.BENCHMARK, words)
