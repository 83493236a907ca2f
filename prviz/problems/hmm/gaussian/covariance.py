"""Covariance matrices: Cholesky factors, and a floor for eigenvalues.

If all eigenvalues must be at least a floor, the most likely covariance is the sample covariance,
with its smaller eigenvalues raised to the floor. Each column has a floor f, so columns are divided
by √f first.
"""

from __future__ import annotations

import numpy as np

from ....engine.dispatch import borrowing

#: Limit of sweeps. Jacobi's method converges quadratically, so about ten are usually enough.
MOST_SWEEPS = 50
#: Off-diagonal entries up to this size, relative to 1 plus the diagonal, are negligible.
NEGLIGIBLE = 1e-17


@borrowing
def factorise(matrix, lower, least) -> bool:
    """Write the Cholesky factor of a matrix; return True if all pivots exceed ``least``."""
    good = True
    d = len(matrix)
    for a in range(d):
        for b in range(a + 1):
            rest = matrix[a, b]
            for c in range(b):
                rest -= lower[a, c] * lower[b, c]
            if a > b:
                lower[a, b] = rest / lower[b, b]
            else:
                good = good and rest > least
                lower[a, a] = np.sqrt(rest if rest > least else 1.0)
    return good


@borrowing
def invert(lower, inverse) -> None:
    """Write the inverse of a lower triangular matrix, zero above the diagonal."""
    d = len(lower)
    inverse[:, :] = 0.0
    for b in range(d):
        inverse[b, b] = 1.0 / lower[b, b]
        for a in range(b + 1, d):
            rest = 0.0
            for c in range(b, a):
                rest -= lower[a, c] * inverse[c, b]
            inverse[a, b] = rest / lower[a, a]


@borrowing
def raise_to_floor(matrix, floor, square, lower, turned) -> None:
    """Raise eigenvalues of a symmetric matrix to the floor, in place.

    Parameters
    ----------
    matrix : (d, d)
    floor : (d,)
        Least variance of each column.
    square, lower, turned : (d, d)
        Working space.
    """
    d = len(matrix)
    for a in range(d):
        for b in range(d):
            square[a, b] = matrix[a, b] / np.sqrt(floor[a] * floor[b])
        square[a, a] -= 1.0
    if factorise(square, lower, 0.0):
        return
    for a in range(d):
        square[a, a] += 1.0
    diagonalise(square, turned)
    for a in range(d):
        for b in range(a + 1):
            entry = 0.0
            for c in range(d):
                value = square[c, c] if square[c, c] > 1.0 else 1.0
                entry += turned[a, c] * value * turned[b, c]
            matrix[a, b] = matrix[b, a] = entry * np.sqrt(floor[a] * floor[b])


@borrowing
def diagonalise(matrix, vectors) -> None:
    """Diagonalise a symmetric matrix in place by Jacobi's rotations; write its eigenvectors."""
    d = len(matrix)
    for a in range(d):
        for b in range(d):
            vectors[a, b] = 1.0 if a == b else 0.0
    for _ in range(MOST_SWEEPS):
        turns = 0
        for a in range(d - 1):
            for b in range(a + 1, d):
                off = matrix[a, b]
                if abs(off) <= NEGLIGIBLE * (1.0 + abs(matrix[a, a]) + abs(matrix[b, b])):
                    continue
                turns += 1
                half = (matrix[b, b] - matrix[a, a]) / (2.0 * off)
                tangent = 1.0 / (abs(half) + np.sqrt(half * half + 1.0))
                if half < 0.0:
                    tangent = -tangent
                cosine = 1.0 / np.sqrt(tangent * tangent + 1.0)
                sine = tangent * cosine
                for c in range(d):
                    left, right = matrix[c, a], matrix[c, b]
                    matrix[c, a] = cosine * left - sine * right
                    matrix[c, b] = sine * left + cosine * right
                for c in range(d):
                    left, right = matrix[a, c], matrix[b, c]
                    matrix[a, c] = cosine * left - sine * right
                    matrix[b, c] = sine * left + cosine * right
                for c in range(d):
                    left, right = vectors[c, a], vectors[c, b]
                    vectors[c, a] = cosine * left - sine * right
                    vectors[c, b] = sine * left + cosine * right
                matrix[a, b] = matrix[b, a] = 0.0
        if turns == 0:
            return
