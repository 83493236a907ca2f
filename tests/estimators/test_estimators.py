"""All estimators pass scikit-learn's checks, and treat seeds, budgets and pipelines alike."""

import numpy as np
import pandas as pd
import pytest
from cases import cases
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import prviz
from prviz.engine.schedule import Schedule
from prviz.estimators import (
    PartialGaussianHMM,
    PartialGMMHMM,
    PartialHMM,
    PartialKMeans,
    PartialKMedoids,
    PartialRBM,
)

pytestmark = pytest.mark.usefixtures("kernels")

IRIS = load_iris().data
BITS = (np.random.default_rng(0).random((60, 8)) < 0.4).astype(float)
STRINGS = np.random.default_rng(1).integers(0, 2, (20, 6))
#: A small instance of each estimator, and data for it.
SMALL = {
    "PartialKMeans": (PartialKMeans(3, max_calls=30, random_state=0), IRIS),
    "PartialKMedoids": (PartialKMedoids(3, max_calls=30, random_state=0), IRIS),
    "PartialHMM": (PartialHMM(3, max_calls=20, random_state=0), STRINGS),
    "PartialGaussianHMM": (PartialGaussianHMM(3, max_calls=20, random_state=0), IRIS),
    "PartialGMMHMM": (PartialGMMHMM(3, max_calls=20, random_state=0), IRIS),
    "PartialRBM": (PartialRBM(3, n_iter=3, max_calls=20, random_state=0), BITS),
}
LEARNED = {
    "PartialKMeans": ("cluster_centers_", "labels_", "inertia_"),
    "PartialKMedoids": ("medoid_indices_", "cluster_centers_", "labels_", "inertia_"),
    "PartialHMM": ("startprob_", "transmat_", "emissionprob_", "log_likelihood_"),
    "PartialGaussianHMM": ("startprob_", "transmat_", "means_", "covars_", "log_likelihood_"),
    "PartialGMMHMM": ("startprob_", "transmat_", "weights_", "means_", "covars_"),
    "PartialRBM": ("components_", "intercept_hidden_", "intercept_visible_", "log_partition_"),
}
every = cases("name", SMALL)


def fitted(name, **settings):
    model, data = SMALL[name]
    return clone(model).set_params(**settings).fit(data)


def learned(model):
    return [np.asarray(getattr(model, name)) for name in LEARNED[type(model).__name__]]


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(learned(one), learned(other), strict=True))


PAIR = "score_samples returns a pair, as in hmmlearn"
ORDER = "rows are the steps of a series"
EQUAL = "rows of a series must have equal weights"
STEPS = {
    "check_methods_sample_order_invariance": ORDER,
    "check_methods_subset_invariance": ORDER,
    "check_sample_weight_equivalence_on_dense_data": EQUAL,
    "check_sample_weights_not_overwritten": EQUAL,
}
DRAWS = "repeated rows use other random numbers than weighted rows"
REPEATED = {
    "check_sample_weight_equivalence_on_dense_data": DRAWS,
    "check_sample_weight_equivalence_on_sparse_data": DRAWS,
}
NOT_OURS = {
    "PartialHMM": {
        "check_methods_sample_order_invariance": PAIR,
        "check_methods_subset_invariance": PAIR,
        "check_sample_weight_equivalence_on_dense_data": "its data are not symbols",
    },
    "PartialGaussianHMM": STEPS,
    "PartialGMMHMM": STEPS,
    "PartialKMedoids": REPEATED,
    "PartialRBM": REPEATED,
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # few distinct points
@pytest.mark.parametrize(
    "model",
    [
        PartialKMeans(max_calls=5),
        PartialKMedoids(max_calls=5),
        PartialHMM(max_calls=3, n_iter=20),
        PartialGaussianHMM(max_calls=3, n_iter=20),
        PartialGMMHMM(max_calls=3, n_iter=20),
        PartialRBM(max_calls=2, n_iter=1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_estimator_passes_checks_of_scikit_learn(model):
    expected = NOT_OURS.get(type(model).__name__, {})
    results = check_estimator(model, expected_failed_checks=expected, on_skip=None, on_fail=None)
    failed = [
        (each["check_name"], each["exception"]) for each in results if each["status"] == "failed"
    ]
    assert failed == []
    assert {each["check_name"] for each in results if each["status"] == "xfail"} == {*expected}
    assert sum(each["status"] == "passed" for each in results) > 30


def test_random_state_is_the_seed_of_the_run():
    points = np.random.default_rng(0).random((80, 2))
    ordered = points[np.lexsort(points.T[::-1])]
    run = prviz.run(prviz.kmeans(ordered, 6, "k-means++"), k1=1, seed=5, calls=40)
    model = PartialKMeans(6, max_calls=40, random_state=5).fit(points)
    np.testing.assert_array_equal(model.cluster_centers_, run.best_state.centers)
    assert model.inertia_ == run.best_cost
    assert (model.n_calls_, model.n_iter_) == (40, run.trace.iterations.sum())
    drawn = clone(model).set_params(random_state=np.random.RandomState(3))
    seed = np.random.RandomState(3).randint(2**31 - 1)
    assert same(drawn.fit(points), clone(model).set_params(random_state=seed).fit(points))


@cases(
    ("levels", "calls"),
    [
        ([prviz.Level(1, 100), prviz.Level(35)], 20 * 35),
        ([prviz.Level(None, 100, probability=0.4), prviz.Level(35)], 50),
        ([prviz.Level(35)], 20),
    ],
)
def test_by_default_each_variable_is_redrawn_twenty_times(levels, calls):
    assert fitted("PartialRBM", max_calls="auto", levels=levels).n_calls_ == calls


@cases(("name", "n"), [("PartialKMeans", 3), ("PartialRBM", 8 * 3 + 8 + 3)])
def test_levels_replace_k1_and_m1(name, n):
    same_as = [prviz.Level(1, 100), prviz.Level(n)]
    assert same(fitted(name, levels=same_as, k1=2, m1=3), fitted(name, k1=1))


def test_fit_with_a_time_limit_can_be_repeated_with_max_calls():
    limited = fitted("PartialKMeans", max_calls=None, time_limit=0.02)
    assert limited.n_calls_ >= 1
    assert same(limited, fitted("PartialKMeans", max_calls=limited.n_calls_))
    assert limited.__sklearn_tags__().non_deterministic
    assert not fitted("PartialKMeans").__sklearn_tags__().non_deterministic


def test_n_jobs_sets_the_number_of_workers():
    X, lengths = np.array([[0, 1, 1, 0, 2, 1, 0, 2]]).T, [8]
    run = prviz.run(prviz.hmm(X[:, 0], 2), k1=1, seed=5, calls=20, workers=2)
    settings = {"k1": 1, "max_calls": 20, "random_state": 5, "tol": 1e-6}
    model = PartialHMM(2, n_jobs=2, **settings).fit(X, lengths=lengths)
    assert (model.log_likelihood_, model.n_calls_) == (-run.best_cost, 20)
    with pytest.raises(ValueError, match="either n_jobs or an array as init"):
        PartialKMeans(2, init=IRIS[:2], n_jobs=2).fit(IRIS)


def test_time_limit_alone_removes_the_call_limit():
    schedule = Schedule.two_level(1, 100, 8)
    assert PartialKMeans()._budget(schedule) == {"calls": 20 * 8, "seconds": None}
    assert PartialKMeans(time_limit=9.0)._budget(schedule) == {"calls": None, "seconds": 9.0}
    both = PartialKMeans(time_limit=9.0, max_calls=7)
    assert both._budget(schedule) == {"calls": 7, "seconds": 9.0}


@cases(
    ("settings", "complaint"),
    [
        ({"max_calls": None}, "Set max_calls, time_limit, or both"),
        ({"max_calls": 0}, "max_calls must be at least 1, got 0"),
        ({"max_calls": 2.5}, "max_calls must be a whole number"),
        ({"time_limit": -1.0}, "time_limit must be a positive number of seconds"),
        ({"time_limit": float("nan")}, "time_limit must be a positive number of seconds"),
        ({"k1": 10**6}, "k1 must be an integer from 1 to"),
        ({"subset": "nearest"}, "This problem has no sub-sets 'nearest'"),
        ({"random_state": -1}, "seed must be 0 or more"),
    ],
)
def test_invalid_settings_are_rejected(settings, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        fitted("PartialKMeans", **settings)


@cases("name", ["PartialKMeans", "PartialKMedoids", "PartialRBM"])
def test_sparse_and_dense_data_give_the_same_fit(name):
    model, data = SMALL[name]
    sparse = clone(model).fit(csr_array(data))
    assert same(sparse, fitted(name))
    np.testing.assert_array_equal(sparse.transform(csr_array(data)), sparse.transform(data))


def test_sparse_matrix_of_dissimilarities_is_rejected():
    model = clone(SMALL["PartialKMedoids"][0]).set_params(metric="precomputed")
    with pytest.raises(TypeError, match=r"Sparse data was passed .*\.toarray\(\)"):
        model.fit(csr_array(np.ones((5, 5)) - np.eye(5)))


def test_k_means_takes_weights_by_position_as_the_class_of_scikit_learn():
    model, data = SMALL["PartialKMeans"]
    weights = np.arange(len(data)) % 3 + 1.0
    weighted = clone(model).fit(data, sample_weight=weights)
    np.testing.assert_array_equal(clone(model).fit_predict(data, None, weights), weighted.labels_)
    np.testing.assert_array_equal(
        clone(model).fit_transform(data, None, weights), weighted.transform(data)
    )


def test_ctrl_c_ends_a_fit(monkeypatch):
    from prviz.estimators import search

    interrupted = prviz.run(prviz.kmeans([[0.0], [1.0], [5.0]], 2), calls=2)
    interrupted.interrupted = True
    monkeypatch.setattr(search, "run", lambda *_, **__: interrupted)
    with pytest.raises(KeyboardInterrupt):
        fitted("PartialKMeans")


def test_grid_search_in_a_pipeline_selects_the_setting_with_the_best_score():
    line = make_pipeline(FunctionTransformer(), clone(SMALL["PartialKMeans"][0]))
    grid = {"partialkmeans__n_clusters": [1, 3], "partialkmeans__m1": [5, 20]}
    found = GridSearchCV(line, grid, cv=2, error_score="raise").fit(IRIS)
    assert found.best_score_ == found.cv_results_["mean_test_score"].max()
    assert found.best_params_["partialkmeans__n_clusters"] == 3  # lower cost of the held-out points


@cases("name", [name for name in SMALL if "HMM" not in name])
def test_feature_names_are_kept(name):
    model, data = SMALL[name]
    frame = pd.DataFrame(data, columns=[f"column {i}" for i in range(data.shape[1])])
    model = clone(model).set_output(transform="pandas").fit(frame)
    assert model.feature_names_in_.tolist() == frame.columns.tolist()
    out = [f"{name.lower()}{i}" for i in range(3)]
    assert model.get_feature_names_out().tolist() == out
    assert model.transform(frame).columns.tolist() == out
    with pytest.raises(ValueError, match="feature names"):
        model.transform(frame[frame.columns[::-1]])


def test_pipeline_finds_the_best_clusters_of_scaled_iris():
    """Find the lowest known inertia of scaled iris, and compare the clusters with the species."""
    from sklearn.metrics import adjusted_rand_score

    iris = load_iris()
    line = make_pipeline(StandardScaler(), PartialKMeans(3, random_state=0))
    labels = line.fit_predict(iris.data)
    assert line[-1].inertia_ == pytest.approx(139.82049, abs=1e-5)
    assert adjusted_rand_score(iris.target, labels) == pytest.approx(0.620, abs=1e-3)


@every
def test_masked_entries_are_rejected(name):
    model, data = SMALL[name]
    masked = np.ma.masked_array(data, mask=data == data[0, 0])
    with pytest.raises(ValueError, match="X must not have masked entries"):
        clone(model).fit(masked)


@every
def test_huge_entries_are_rejected_by_predict_and_fit(name):
    model, data = SMALL[name]
    huge = data + np.where(np.arange(len(data)) == 1, 1e200, 0.0)[:, None]
    with pytest.raises(ValueError, match="X has entries above 1e\\+150"):
        clone(model).fit(huge)
    model = fitted(name)
    apply = getattr(model, "predict", None) or model.transform
    with pytest.raises(ValueError, match="X has entries above 1e\\+150"):
        apply(huge)
