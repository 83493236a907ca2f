"""Pictures for k-medoids: the paper's 900 faces, and digits that stand in for them."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import numpy as np

from ...system import private
from ..types.pictures import Pictures
from .fetch import DataUnavailable

PERSONS = 10
ROTATIONS = (-10.0, 0.0, 10.0)  # degrees
SCALES = (0.9, 1.0, 1.1)
BLUR = 0.5  # standard deviation of the blur, in pixels
WINDOW = 50  # pixels per side
VARIANCE = 0.1
FINEST = 2.0**19  # pixels are multiples of 1/FINEST, so every library gives the same faces

CACHE_NAME = "olivetti_py3.pkz"  # scikit-learn's
CREDIT = (
    "AT&T Laboratories Cambridge (Olivetti faces), rebuilt by prviz after B. J. Frey and "
    "D. Dueck, Clustering by passing messages between data points, Science 315 (2007)"
)


def faces900() -> Pictures:
    """
    Load the paper's 900 faces, rebuilt from the Olivetti set.

    The faces are of ten persons, with ten pictures each. Each picture is rotated by −10°, 0° or 10°
    and scaled by 0.9, 1 or 1.1 about the centre (bilinear, edge values repeated), in all nine
    combinations, and blurred by half a pixel. The central 50 × 50 pixels are normalised to mean 0
    and variance 0.1, and rounded to multiples of 2^−19.

    The Olivetti set is read from scikit-learn's cache in `PRVIZ_DATA_DIR/scikit_learn_data`,
    otherwise from scikit-learn's usual cache. If it is in neither, scikit-learn downloads it.

    Raises
    ------
    DataUnavailable
        The Olivetti set is not available.
    """
    portraits = _olivetti()[: 10 * PERSONS]
    faces = [
        _window(_blurred(_transformed(portrait, angle, scale)))
        for portrait in portraits
        for angle, scale in product(ROTATIONS, SCALES)
    ]
    points = np.array(faces).reshape(len(faces), -1)
    points -= points.mean(axis=1, keepdims=True)
    points *= np.sqrt(VARIANCE / points.var(axis=1, keepdims=True))
    points = np.rint(points * FINEST) / FINEST
    return Pictures(
        points=points,
        shape=(WINDOW, WINDOW),
        name="900 faces",
        source=CREDIT,
        n_clusters=121,
        best_known=74220.45,
    )


def digits900() -> Pictures:
    """Load 900 handwritten digits, a stand-in for the faces, from scikit-learn."""
    from sklearn.datasets import load_digits

    return Pictures(
        points=load_digits().data[:900],
        shape=(8, 8),
        name="900 digits (stand-in)",
        source="E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, 1998",
        n_clusters=121,
        best_known=299029.0,  # the best result of swap searches of 12 s from six seeds
        stand_in=True,
        notice="Handwritten digits in place of the paper's faces; costs differ.",
        ink=True,
    )


def _transformed(portrait: np.ndarray, degrees: float, scale: float) -> np.ndarray:
    """Rotate and scale a picture about its centre."""
    from scipy.ndimage import affine_transform

    angle = np.deg2rad(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    back = turn.T / scale  # maps a pixel of the result to its position in the portrait
    centre = (np.array(portrait.shape) - 1) / 2
    return affine_transform(portrait, back, centre - back @ centre, order=1, mode="nearest")


def _blurred(picture: np.ndarray) -> np.ndarray:
    from scipy.ndimage import gaussian_filter

    return gaussian_filter(picture, BLUR, mode="nearest")


def _window(picture: np.ndarray) -> np.ndarray:
    top, left = ((side - WINDOW) // 2 for side in picture.shape)
    return picture[top : top + WINDOW, left : left + WINDOW]


def _olivetti() -> np.ndarray:
    """Return the 400 portraits, float64 of shape (400, 64, 64), ten of each person."""
    for folder in _caches():
        if (folder / CACHE_NAME).is_file():
            _check_pickle(folder / CACHE_NAME)
            return _fetched(folder, download=False)
    return _fetched(None, download=True)


def _check_pickle(path: Path) -> None:
    """Refuse a pickle that another user can change: loading it would run that user's code."""
    try:
        private.check_file(path.resolve())
    except OSError as error:
        raise DataUnavailable(
            f"The Olivetti faces in {path} are not loaded, because {error.filename} is not safe "
            f"({error.strerror}). Copy the file to a folder that only you can write to, and set "
            "PRVIZ_DATA_DIR to this folder."
        ) from None


def _caches() -> list[Path]:
    from sklearn.datasets import get_data_home

    own = os.environ.get("PRVIZ_DATA_DIR")
    places = [Path(own).expanduser() / "scikit_learn_data"] if own else []
    return [*places, Path(get_data_home())]


def _fetched(folder: Path | None, download: bool) -> np.ndarray:
    from sklearn.datasets import fetch_olivetti_faces

    home = None if folder is None else str(folder)
    try:
        images = fetch_olivetti_faces(
            data_home=home, download_if_missing=download, n_retries=1
        ).images
    except Exception as error:  # errors of the network, the disk, or the pickle
        cause = f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(" .:")
        where = "could not be downloaded" if download else f"in {folder} cannot be read"
        raise DataUnavailable(
            f"The Olivetti faces {where} ({cause}): set PRVIZ_DATA_DIR to a folder with "
            f"scikit_learn_data/{CACHE_NAME}, or connect to the internet once."
        ) from None
    return images.astype(np.float64)
