"""k-means for the player: points, centres, and the ground truth where it is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..datasets.points import Points
from ..player.frames import encode_positions, world_of

SOLVED_WITHIN = 1e-5


class KMeansScene:
    """The picture of a k-means search in the plane.

    Parameters
    ----------
    dataset : Points
        The data, with name and ground truth.
    problem : KMeans
        Made from ``dataset.points``.
    """

    noun = ("centre", "centres")
    cost = "WCSS"
    optimiser = "Lloyd"
    solved_within = SOLVED_WITHIN

    def __init__(self, dataset: Points, problem: Any):
        if dataset.points.shape[1] != 2:
            raise ValueError(
                f"The picture needs two columns (x, y); {dataset.name} has "
                f"{dataset.points.shape[1]}: use prviz.run in Python for other dimensions."
            )
        self.title = f"k-means on {dataset.name}"
        self.world = world_of(dataset.points)
        self._k = problem.k
        self._truth = dataset.centers
        truth_fits = dataset.centers is not None and len(dataset.centers) == problem.k
        self.best_known = dataset.best_known if truth_fits else None
        self._assets = {"points": encode_positions(dataset.points, self.world).tobytes()}
        self.layers = [{"kind": "points", "asset": "points"}]
        self.channels = [("centers", "u2", 2 * problem.k)]
        if dataset.centers is not None:
            self._assets["truth"] = encode_positions(dataset.centers, self.world).tobytes()
            self.layers.append({"kind": "truth", "asset": "truth", "channel": "truth"})
            self.channels.append(("truth", "u1", len(dataset.centers)))
        self.layers.append({"kind": "markers", "channel": "centers", "trail": 6})

    def asset(self, name: str) -> bytes:
        """Static positions for a layer, as u16 pairs."""
        return self._assets[name]

    def draw(self, frame: np.void, state: Any) -> None:
        """Fill the channels of a frame from a state."""
        frame["centers"] = encode_positions(state.centers, self.world).ravel()
        if self._truth is not None:
            frame["truth"] = np.minimum(centres_of_truth(state.centers, self._truth), 255)


def centres_of_truth(centers: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """How many centres have each true centre as their nearest.

    The number of zeros is the centroid index (Fränti, Rezaei and Zhao 2014): 0 when every
    cluster has been found.

    Parameters
    ----------
    centers : (k, d)
    truth : (t, d)

    Returns
    -------
    (t,) int64
    """
    nearness = centers @ truth.T - (truth**2).sum(axis=1) / 2  # |c − t|² without |c|², by −1/2
    return np.bincount(nearness.argmax(axis=1), minlength=len(truth))
