"""The state of a k-means search: centres, labels, and caches of the incremental algorithm."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.subsets import ANYWHERE
from .distances import WIDTH
from .estimates import PAIR, Scores, empty_rows, empty_scores, fill_rows, scores_at_zero
from .grid import Cells, cells_at_origin

#: Indices in ``clock``: of the last stamp, and of the first free place behind all blocks.
STAMP, FREE = range(2)


class Clusters(NamedTuple):
    """Fields of each cluster, all of shape (k,)."""

    begin: np.ndarray  # int64: start of its block in ``Members``
    count: np.ndarray  # int64: number of points
    room: np.ndarray  # int64: capacity of its block
    radius: np.ndarray  # largest distance of a point from the anchor
    drift: np.ndarray  # sum of moves of centres (see ``bounds.py``)
    least_slack: np.ndarray  # least slack of the cluster's points
    inertia: np.ndarray  # weighted sum of squared distances of its points from the centre
    priced: np.ndarray  # uint8: 1 if inertia is up to date
    stale: np.ndarray  # uint8: 1 if the centre might differ from the mean of the points
    version: np.ndarray  # int64: stamp of the last change of its centre or of these fields
    members_version: np.ndarray  # int64: stamp of the last change of its points or their slack


class Members(NamedTuple):
    """The points of each cluster, one block per cluster (``blocks.py``), in P = 2 n + 64 places."""

    point: np.ndarray  # (P,) int32: the number of the point
    slack: np.ndarray  # (P,): slack plus the cluster's drift when it was stored (``bounds.py``)
    columns: np.ndarray  # (d, P): coordinates, one axis per row
    rows: np.ndarray  # (d P + 16,) float32: scaled coordinates for estimates, one point per row
    norms: np.ndarray  # (P,) float32: squared lengths for estimates; empty in few dimensions


class Settled(NamedTuple):
    """Positions of the centres at the last assignment."""

    anchors: np.ndarray  # (k, d)
    columns: np.ndarray  # (d, k): one axis per row; updated at the start of an assignment
    cells: Cells  # the centres in each cell of the grid
    directions: np.ndarray  # (k + 1, d) float32: −2 c for estimates, and a spare row
    lengths: np.ndarray  # (k + 1,) float32: |c|² for estimates, and a spare entry


class Leaving(NamedTuple):
    """Points that change their cluster: arrays of shape (n,), unless stated otherwise."""

    first: np.ndarray  # (k + 1,) int64: where each loose cluster starts, then the number of points
    position: np.ndarray  # int64: position in the old block
    to: np.ndarray  # int64: the new cluster
    slack: np.ndarray  # slack in the new cluster
    distance: np.ndarray  # distance from the new centre, or an upper bound


class Work(NamedTuple):
    """Working space. It has no meaning between calls."""

    shift: np.ndarray  # (k,): distance that each centre has moved
    reach: np.ndarray  # (k,): a centre farther than this (squared) has no effect
    nearby: np.ndarray  # (k,): the longest move of another centre within reach
    away: np.ndarray  # (k,): squared distances of all centres from one position
    moved: np.ndarray  # (k,) int64: centres that have moved
    loose: np.ndarray  # (k,) int64: clusters whose points must be compared
    candidates: np.ndarray  # (k,) int64: centres to compare points with
    needs: np.ndarray  # (k,) int64: places that each cluster needs
    moved_columns: np.ndarray  # (d, k): moved centres, one axis per row
    position: np.ndarray  # (n,) int64: the compared points' positions in their block
    doubtful: np.ndarray  # (n,) int64: the compared points that need exact distances
    batch: np.ndarray  # (d, n): coordinates of the doubtful points, one axis per row
    distance: np.ndarray  # (n,): distance of the compared points from the nearest centre
    slack: np.ndarray  # (n,): slack of the compared points at the nearest centre
    label: np.ndarray  # (n,): the nearest centre
    values: np.ndarray  # (n,)
    upper: np.ndarray  # (n,): upper bounds of distances, from estimates
    margin: np.ndarray  # (n,): lower bounds of slack, from estimates
    leaving: Leaving
    scores: Scores
    spare: Members  # space for all points


class KMeansState(NamedTuple):
    """Centres, labels, caches and working space. A revert restores all but the working space.

    Attributes
    ----------
    centers : (k, d) float64
        The configuration.
    labels : (n,) int32
        Nearest centre of each point at the last assignment.
    clusters, members, settled, work
        Fields of clusters, points by cluster, centres at the last assignment, and working space.
    clock : (2,) int64
        See ``STAMP`` and ``FREE``.
    destinations : (k,) int64
        Point to which each centre moves in the next redraw; −1 for a random point.
    order : (2 n,) int64
        The numbers 0 … n−1, and working space for drawing points.
    """

    VARIABLES = ("centers",)
    CACHES = ("clusters", "clock", "order")
    WORKSPACE = ("work",)

    centers: np.ndarray
    labels: np.ndarray
    clusters: Clusters
    members: Members
    settled: Settled
    work: Work
    clock: np.ndarray
    destinations: np.ndarray
    order: np.ndarray


def empty_state(problem: Any) -> KMeansState:
    """Return a state with all centres at 0 and all points in cluster 0, without slack."""
    (n, d), k = problem.points.shape, problem.k
    clusters = Clusters(
        *np.zeros((3, k), np.int64),
        *np.zeros((4, k)),
        *np.zeros((2, k), np.uint8),
        *np.ones((2, k), np.int64),
    )
    clusters.room[0] = clusters.count[0] = n
    clusters.radius[0] = np.inf
    clusters.least_slack[:] = np.inf
    clusters.least_slack[0] = -np.inf
    clusters.stale[:] = 1
    order = np.zeros(2 * n, np.int64)
    order[:n] = np.arange(n)
    anchors, columns, cells = np.zeros((k, d)), np.zeros((d, k)), cells_at_origin(problem.grid, k)
    return KMeansState(
        centers=np.zeros((k, d)),
        labels=np.zeros(n, np.int32),
        clusters=clusters,
        members=_members(problem),
        settled=Settled(anchors, columns, cells, *scores_at_zero(problem, k)),
        work=_work(problem),
        clock=np.array([1, n], np.int64),
        destinations=np.full(k, ANYWHERE),
        order=order,
    )


def _members(problem: Any) -> Members:
    n = len(problem.points)
    members = _places(2 * n + 64, problem)  # a block that grows moves to the end
    members.point[:n] = np.arange(n)
    members.columns[:, :n] = problem.points.T
    fill_rows(problem.points, problem, members.rows, members.norms)
    return members


def _places(size: int, problem: Any) -> Members:
    d = problem.points.shape[1]
    numbers, slack = np.zeros(size, np.int32), np.full(size, -np.inf)
    return Members(numbers, slack, np.zeros((d, size)), *empty_rows(size, d))


def _work(problem: Any) -> Work:
    (n, d), k = problem.points.shape, problem.k
    first = np.zeros(k + 1, np.int64)
    return Work(
        *np.zeros((4, k)),
        *np.zeros((4, k), np.int64),
        np.zeros((d, k)),
        *np.zeros((2, n + PAIR), np.int64),
        np.zeros((d, n + WIDTH)),
        *np.zeros((6, n + WIDTH)),
        Leaving(first, *np.zeros((2, n), np.int64), *np.zeros((2, n))),
        empty_scores(n, d),
        _places(n, problem),
    )
