"""Define the fixtures of the tests of lessons."""

import numpy as np
import pytest


@pytest.fixture
def own(tmp_path):
    """Return a function that writes a lesson to the folder of its points; it returns the path."""
    points = np.array([[0.0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]])
    np.savetxt(tmp_path / "points.csv", points, delimiter=",")

    def write(source):
        path = tmp_path / "mine.toml"
        path.write_text(source, "utf-8")
        return path

    return write
