"""The 900 faces have known values, and missing files give an error."""

import numpy as np
import pytest
import sklearn.datasets

import prviz
from prviz.datasets import DataUnavailable, digits900, faces900
from prviz.engine import kernels


@pytest.fixture(scope="module")
def faces(data_dir):
    return faces900()


@pytest.fixture(scope="module")
def matrix(faces):
    return prviz.dissimilarity(faces.points)


def test_faces_have_the_known_number_and_mean_and_variance(faces):
    assert faces.points.shape == (900, 50 * 50)
    np.testing.assert_allclose(faces.points.mean(axis=1), 0, atol=1e-6)
    np.testing.assert_allclose(faces.points.var(axis=1), 0.1, rtol=1e-5)
    assert (faces.points * 2**19 % 1 == 0).all()  # rounded, so that libraries agree
    assert not faces.stand_in


def test_unrotated_face_resembles_the_crop_of_its_portrait(faces, data_dir):
    """Variant 4 of the nine is only blurred, neither rotated nor scaled."""
    portraits = sklearn.datasets.fetch_olivetti_faces(
        data_home=str(data_dir / "scikit_learn_data"), download_if_missing=False
    ).images
    for number in (0, 57, 99):
        pixels = portraits[number, 7:57, 7:57].ravel()
        assert np.corrcoef(faces.points[9 * number + 4], pixels)[0, 1] > 0.99


def test_full_restarts_of_alternation_reach_known_costs(matrix):
    problem = prviz.kmedoids(matrix, 121, "alternate")
    trace = prviz.run(problem, k1=121, seed=0, calls=1000).trace
    assert trace.best[-1] == pytest.approx(82853, rel=0.005)
    assert np.median(trace.cost) == pytest.approx(86591, rel=0.005)


def test_full_restarts_of_swap_reach_known_costs(matrix):
    trace = prviz.run(prviz.kmedoids(matrix, 121, "swap"), k1=121, seed=0, calls=100).trace
    assert trace.best[-1] == pytest.approx(74316.2, rel=0.005)
    assert np.median(trace.cost) == pytest.approx(74531.6, rel=0.005)


def test_notice_of_digits_says_that_they_replace_the_faces():
    digits = digits900()
    assert digits.points.shape == (900, 64)
    assert digits.stand_in and "stand-in" in digits.name and "in place of" in digits.notice
    problem = prviz.kmedoids(prviz.dissimilarity(digits.points), digits.n_clusters)
    assert kernels.n_variables(problem) == 121


@pytest.fixture
def no_faces(tmp_path, monkeypatch):
    """Use empty data folders for the user and for scikit-learn."""
    monkeypatch.setenv("PRVIZ_DATA_DIR", str(tmp_path / "own"))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "usual"))
    return tmp_path


def test_error_names_a_set_that_cannot_be_downloaded(no_faces, monkeypatch):
    def broken(data_home=None, download_if_missing=True, **_):
        assert download_if_missing and data_home is None
        raise OSError("no\nnetwork")

    monkeypatch.setattr(sklearn.datasets, "fetch_olivetti_faces", broken)
    with pytest.raises(DataUnavailable, match="not be downloaded") as it:
        faces900()
    assert "\n" not in str(it.value) and "PRVIZ_DATA_DIR" in str(it.value)


def test_error_names_a_damaged_file(no_faces):
    folder = no_faces / "usual"
    folder.mkdir()
    (folder / "olivetti_py3.pkz").write_bytes(b"not a pickle")
    with pytest.raises(DataUnavailable, match=f"in {folder} cannot be read") as caught:
        faces900()
    assert "\n" not in str(caught.value)


def test_faces900_rejects_a_pickle_that_others_can_change(no_faces):
    folder = no_faces / "own" / "scikit_learn_data"
    folder.mkdir(parents=True)
    pickle = folder / "olivetti_py3.pkz"
    pickle.write_bytes(b"")
    pickle.chmod(0o666)
    with pytest.raises(DataUnavailable, match=f"{pickle} is not safe .other users can write"):
        faces900()


def test_best_known_cost_of_digits_is_a_tight_bound():
    digits = digits900()
    problem = prviz.kmedoids(prviz.dissimilarity(digits.points), digits.n_clusters, "swap")
    found = prviz.run(problem, k1=1, m1=5000, seed=0, calls=3000).best_cost
    assert digits.best_known <= found < 1.002 * digits.best_known
