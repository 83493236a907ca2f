"""Types of a hidden Markov model with Gaussian emissions: the problem and its state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....engine.simd.simd8 import padded
from ..states.stochastic import fault_of_model


class GaussianHMM(NamedTuple):
    """A hidden Markov model to be trained on series of vectors.

    Each of the N hidden states is a variable. The density of a state is a mixture of M Gaussian
    components.

    Attributes
    ----------
    series : (T, d) float64
        Observations, one sequence after the other.
    n_states : int
        N.
    n_mix : int
        M.
    covariance_rows : int
        1 for diagonal covariances, d for full ones.
    floor : (d,) float64
        Smallest variance of each column; positive.
    variances : (d,) float64
        Weighted variance of each column of the series, at least the floor.
    tolerance : float
        A fit ends at the first iteration that gains less log-likelihood than this.
    max_iterations : int
        A fit also ends after this many iterations.
    lengths : (s,) int64
        Length of each sequence; the sum is T.
    weights : (s,) float64
        Weight of each sequence in the log-likelihood and in expected counts. An observation is
        drawn as a new mean with a probability proportional to its weight.
    """

    series: np.ndarray
    n_states: int
    n_mix: int
    covariance_rows: int
    floor: np.ndarray
    variances: np.ndarray
    tolerance: float
    max_iterations: int
    lengths: np.ndarray
    weights: np.ndarray


class GaussianHMMState(NamedTuple):
    """The model, the state of the stopping rule, and working space.

    W is N rounded up to a multiple of eight; r is the number of rows of a covariance. In working
    space, states are columns: component m of state j is column m W + j.

    Attributes
    ----------
    transition : (N, N) float64
        A.
    start : (N,) float64
        π.
    weights : (N, M) float64
        Weights of the components; (N, 0) if M is 1.
    means : (N, M d) float64
        Means of the components, one after the other; see :func:`components`.
    covars : (N, M r, d) float64
        Variances (r = 1), or covariance matrices (r = d).
    progress : (2,) float64
        Log-likelihood of the last iteration (−∞ before the first), and iterations so far.
    rows, columns : (N, W) float64
        A and its transpose. ``counts`` has the expected transitions, divided by A.
    location : (d, M W) float64
        Means.
    factor : (r d, M W) float64
        Reciprocal standard deviations, or inverse Cholesky factors.
    constant : (M W,) float64
        Logarithm of the weighted density at the mean.
    shares : (T, M W) float64
        Share of each component in the density of its state; (T, 0) if M is 1.
    density : (T, W) float64
        Densities of each observation, divided by e^shift.
    shift : (T,) float64
        Largest log density of each observation.
    ahead : (T, W) float64
        Forward variables; after the backward pass, posterior probabilities times weights.
    scale : (T,) float64
        Factors that make the forward variables sum to 1.
    reached, behind, flow, starts : (W,) float64
    totals : (M W,) float64
    deviations : (d, M W) float64
    moments : (r d, M W) float64
    square, lower, turned : (d, d) float64
        Space for one covariance matrix, its factor, and eigenvectors.
    """

    VARIABLES = ("transition", "start", "weights", "means", "covars")
    RENORMALISED = ("transition", "start")
    CACHES = ("progress",)
    WORKSPACE = (
        *("rows", "columns", "counts", "location", "factor", "constant", "shares", "density"),
        *("shift", "ahead", "scale", "reached", "behind", "flow", "totals", "starts"),
        *("deviations", "moments", "square", "lower", "turned"),
    )

    transition: np.ndarray
    start: np.ndarray
    weights: np.ndarray
    means: np.ndarray
    covars: np.ndarray
    progress: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    counts: np.ndarray
    location: np.ndarray
    factor: np.ndarray
    constant: np.ndarray
    shares: np.ndarray
    density: np.ndarray
    shift: np.ndarray
    ahead: np.ndarray
    scale: np.ndarray
    reached: np.ndarray
    behind: np.ndarray
    flow: np.ndarray
    totals: np.ndarray
    starts: np.ndarray
    deviations: np.ndarray
    moments: np.ndarray
    square: np.ndarray
    lower: np.ndarray
    turned: np.ndarray

    def fault(self) -> str:
        """Return a description of an invalid model, or ""."""
        if fault := fault_of_model(self):
            return fault
        d = self.covars.shape[-1]
        if self.covars.size == self.means.size:  # variances
            positive = self.covars > 0
        else:
            positive = np.linalg.eigvalsh(self.covars.reshape(-1, d, d)) > 0
        return "" if positive.all() else "covars that are not positive definite"


def empty_state(problem: GaussianHMM) -> GaussianHMMState:
    """Return a state whose model is all zeros."""
    (T, d), N, r = problem.series.shape, problem.n_states, problem.covariance_rows
    M, W = problem.n_mix, padded(N)
    mixed = M if M > 1 else 0
    return GaussianHMMState(
        transition=np.zeros((N, N)),
        start=np.zeros(N),
        weights=np.zeros((N, mixed)),
        means=np.zeros((N, M * d)),
        covars=np.zeros((N, M * r, d)),
        progress=np.array([-np.inf, 0.0]),
        rows=np.zeros((N, W)),
        columns=np.zeros((N, W)),
        counts=np.zeros((N, W)),
        location=np.zeros((d, M * W)),
        factor=np.zeros((r * d, M * W)),
        constant=np.zeros(M * W),
        shares=np.zeros((T, mixed * W)),
        density=np.zeros((T, W)),
        shift=np.zeros(T),
        ahead=np.zeros((T, W)),
        scale=np.zeros(T),
        reached=np.zeros(W),
        behind=np.zeros(W),
        flow=np.zeros(W),
        totals=np.zeros(M * W),
        starts=np.zeros(W),
        deviations=np.zeros((d, M * W)),
        moments=np.zeros((r * d, M * W)),
        square=np.zeros((d, d)),
        lower=np.zeros((d, d)),
        turned=np.zeros((d, d)),
    )


def components(model: GaussianHMMState) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return weights (N, M), means (N, M, d) and covars (N, M, r, d) of a model, as views."""
    N, d = len(model.start), model.covars.shape[-1]
    means = model.means.reshape(N, -1, d)
    M = means.shape[1]
    weights = model.weights if M > 1 else np.ones((N, 1))
    return weights, means, model.covars.reshape(N, M, -1, d)
