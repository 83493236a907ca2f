"""A sample file for each data input, from scikit-learn's data or generated."""

from __future__ import annotations

import io
from functools import cache

import numpy as np

from prviz.datasets import torus
from prviz.ui.own_data.data_input import Sample

#: Latitude and longitude of capitals, in degrees.
CAPITALS = {
    "Amsterdam": (52.37, 4.90), "Athens": (37.98, 23.73), "Belgrade": (44.79, 20.45),
    "Berlin": (52.52, 13.41), "Bern": (46.95, 7.45), "Brussels": (50.85, 4.35),
    "Bucharest": (44.43, 26.10), "Budapest": (47.50, 19.04), "Copenhagen": (55.68, 12.57),
    "Dublin": (53.35, -6.26), "Helsinki": (60.17, 24.94), "Kyiv": (50.45, 30.52),
    "Lisbon": (38.72, -9.14), "Ljubljana": (46.06, 14.51), "London": (51.51, -0.13),
    "Madrid": (40.42, -3.70), "Oslo": (59.91, 10.75), "Paris": (48.86, 2.35),
    "Prague": (50.08, 14.44), "Reykjavik": (64.15, -21.94), "Riga": (56.95, 24.11),
    "Rome": (41.90, 12.50), "Sarajevo": (43.86, 18.41), "Sofia": (42.70, 23.32),
    "Stockholm": (59.33, 18.07), "Tallinn": (59.44, 24.75), "Vienna": (48.21, 16.37),
    "Vilnius": (54.69, 25.28), "Warsaw": (52.23, 21.01), "Zagreb": (45.81, 15.98),
}  # fmt: skip
EARTH = 6371.0  # km
WEATHER = ("sun", "cloud", "rain")
#: Probabilities of tomorrow's weather, with one row for each weather of today.
TOMORROW = np.array([[0.75, 0.2, 0.05], [0.3, 0.4, 0.3], [0.1, 0.4, 0.5]])
MONTHS, DAYS = 6, 30
DIGITS = 200


@cache
def _iris() -> bytes:
    """Return Fisher's irises: four measurements and a text column."""
    from sklearn.datasets import load_iris

    iris = load_iris()
    names = [name.replace(" (cm)", "") for name in iris.feature_names]
    lines = [",".join([*names, "species"])]
    for row, kind in zip(iris.data, iris.target, strict=True):
        lines.append(",".join([*(f"{value:g}" for value in row), str(iris.target_names[kind])]))
    return "\n".join(lines).encode()


@cache
def _capitals() -> bytes:
    """Return distances between capitals along great circles, in kilometres."""
    north, east = np.radians(np.array([*CAPITALS.values()])).T
    half = np.sin((north - north[:, None]) / 2) ** 2
    half += np.cos(north) * np.cos(north[:, None]) * np.sin((east - east[:, None]) / 2) ** 2
    apart = np.rint(2 * EARTH * np.arcsin(np.sqrt(half))).astype(int)
    rows = (",".join(map(str, row)) for row in apart)
    return "\n".join([",".join(CAPITALS), *rows]).encode()


@cache
def _weather() -> bytes:
    """Return generated weather of six months, one day per row."""
    rng = np.random.default_rng(0)
    lines = ["month,day,weather"]
    for month in range(1, MONTHS + 1):
        today = int(rng.integers(len(WEATHER)))
        for day in range(1, DAYS + 1):
            lines.append(f"{month},{day},{WEATHER[today]}")
            today = int(np.searchsorted(TOMORROW[today].cumsum(), rng.random()))
    return "\n".join(lines).encode()


@cache
def _digits() -> bytes:
    """Return handwritten digits 0 and 1, each with 64 grey values from 0 to 16."""
    from sklearn.datasets import load_digits

    digits = load_digits(n_class=2)
    file = io.BytesIO()
    np.savetxt(file, digits.data[:DIGITS], fmt="%d", delimiter=",")
    return file.getvalue()


POINTS = Sample("iris.csv", _iris)
MATRIX = Sample("capitals-km.csv", _capitals)
STRINGS = Sample("weather.csv", _weather)
EXAMPLES = Sample("digits-0-and-1.csv", _digits)


def _glass() -> bytes:
    """Return 8 × 8 spins on a torus, coupled to their neighbours by 1 or −1."""
    made = torus(8, seed=8)
    lines = [f"{len(made.fields)} {len(made.pairs)}"]
    for (i, j), weight in zip(made.pairs.tolist(), made.weights.tolist(), strict=True):
        lines.append(f"{i + 1} {j + 1} {weight:g}")
    return "\n".join(lines).encode()


GLASS = Sample("torus.txt", _glass)
