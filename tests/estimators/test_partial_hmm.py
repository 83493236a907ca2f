"""PartialHMM equals hmmlearn and explicit sums over paths; strings may be columns or rows."""

import math

import numpy as np
import pytest
from cases import cases
from hmmlearn.hmm import CategoricalHMM
from hypothesis import given
from hypothesis import strategies as st
from naive import best_path, path_sums
from sklearn.model_selection import cross_val_score

from prviz.estimators import PartialHMM

pytestmark = pytest.mark.usefixtures("kernels")


def with_model(transition, emission, start):
    """Return an estimator with this model."""
    N, K = np.shape(emission)
    model = PartialHMM(N, n_features=K, max_calls=1, random_state=0).fit([[0], [K - 1]])
    model.transmat_, model.emissionprob_, model.startprob_ = map(
        np.asarray, (transition, emission, start)
    )
    return model


def hmmlearns(model):
    theirs = CategoricalHMM(len(model.startprob_), n_features=model.emissionprob_.shape[1])
    theirs.transmat_, theirs.emissionprob_ = model.transmat_, model.emissionprob_
    theirs.startprob_ = model.startprob_
    return theirs


def column(*strings):
    return np.concatenate(strings)[:, None], [len(string) for string in strings]


def random_model(N, K, rng):
    rows = rng.dirichlet(np.ones(N), N), rng.dirichlet(np.ones(K), N), rng.dirichlet(np.ones(N))
    return with_model(*rows)


def chance_of(states, strings, model):
    """Return ln P(states, strings | model), computed directly."""
    rest, total = list(states), 0.0
    for string in strings:
        path, rest = rest[: len(string)], rest[len(string) :]
        total += np.log(model.startprob_[path[0]])
        total += np.log(model.transmat_[path[:-1], path[1:]]).sum()
        total += np.log(model.emissionprob_[path, string]).sum()
    return total


def test_probabilities_equal_a_hand_calculation():
    # a fair coin and a coin that always shows 1, exchanged with probability 1/4
    model = with_model([[0.75, 0.25], [0.25, 0.75]], [[0.5, 0.5], [0.0, 1.0]], [0.5, 0.5])
    zero_one = [[0], [1]]
    # The first coin is the fair one (1/2), because only it can show 0 (1/2). Then the same coin
    # (0.75 · 0.5) or the other coin (0.25 · 1) shows 1.
    chance = 0.5 * 0.5 * (0.75 * 0.5 + 0.25 * 1.0)
    assert model.score(zero_one) == pytest.approx(math.log(chance), abs=1e-12)
    log_chance, states = model.decode(zero_one)
    assert log_chance == pytest.approx(math.log(0.5 * 0.5 * 0.75 * 0.5), abs=1e-12)
    assert states.tolist() == model.predict(zero_one).tolist() == [0, 0]
    np.testing.assert_allclose(model.predict_proba(zero_one), [[1, 0], [0.6, 0.4]], atol=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_score_and_probabilities_are_sums_over_all_paths(seed, N, K):
    rng = np.random.default_rng(seed)
    model = random_model(N, K, rng)
    strings = [rng.integers(0, K, rng.integers(1, 6)) for _ in range(3)]
    X, lengths = column(*strings)
    rows = model.transmat_, model.emissionprob_, model.startprob_
    sums, paths = ([of(x, *rows) for x in strings] for of in (path_sums, best_path))
    wanted = sum(math.log(likelihood) for likelihood, _, _ in sums)
    assert model.score(X, lengths=lengths) == pytest.approx(wanted, abs=1e-12)
    chance, states = model.decode(X, lengths)
    assert chance == pytest.approx(sum(best for best, _ in paths), abs=1e-12)
    assert chance == pytest.approx(chance_of(states, strings, model), abs=1e-9)
    gammas = np.concatenate([gamma for _, gamma, _ in sums])
    np.testing.assert_allclose(model.predict_proba(X, lengths), gammas, atol=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(2, 4))
def test_score_and_probabilities_equal_hmmlearn(seed, N, K):
    rng = np.random.default_rng(seed)
    ours = random_model(N, K, rng)
    theirs = hmmlearns(ours)
    strings = [rng.integers(0, K, size) for size in (30, 1, 12)]
    X, lengths = column(*strings)
    assert ours.score(X, lengths) == pytest.approx(theirs.score(X, lengths), abs=1e-9)
    chance, states = ours.decode(X, lengths)  # states may differ if their probability is equal
    assert chance == pytest.approx(theirs.decode(X, lengths)[0], abs=1e-9)
    assert chance == pytest.approx(chance_of(states, strings, ours), abs=1e-9)
    assert ours.predict(X, lengths).tolist() == states.tolist()
    np.testing.assert_allclose(
        ours.predict_proba(X, lengths), theirs.predict_proba(X, lengths), atol=1e-9
    )
    total, chances = ours.score_samples(X, lengths)
    wanted_total, wanted = theirs.score_samples(X, lengths)
    assert total == pytest.approx(wanted_total, abs=1e-9)
    np.testing.assert_allclose(chances, wanted, atol=1e-9)
    for criterion in ("aic", "bic"):
        wanted = getattr(theirs, criterion)(X, lengths)
        assert getattr(ours, criterion)(X, lengths) == pytest.approx(wanted, abs=1e-8)
    stationary = theirs.get_stationary_distribution()
    np.testing.assert_allclose(ours.get_stationary_distribution(), stationary, atol=1e-9)


def test_sample_follows_transitions_and_emissions():
    model = with_model([[0, 1], [1, 0]], [[0, 1], [1, 0]], [1, 0])
    X, states = model.sample(4)
    assert states.tolist() == [0, 1, 0, 1] and X.tolist() == [[1], [0], [1], [0]]
    fair = with_model([[0.25, 0.75]] * 2, [[1, 0], [0, 1]], [0.5, 0.5])
    X, _ = fair.sample(2000, random_state=0)
    assert X.mean() == pytest.approx(0.75, abs=0.05)
    assert (fair.sample(9, random_state=3)[0] == fair.sample(9, random_state=3)[0]).all()


def test_sample_begins_in_currstate_as_in_hmmlearn():
    ours, theirs = with_model([[0, 1], [1, 0]], [[0, 1], [1, 0]], [1, 0]), CategoricalHMM(2)
    theirs.startprob_, theirs.transmat_ = ours.startprob_, ours.transmat_
    theirs.emissionprob_ = ours.emissionprob_
    for state in (0, 1):
        X, states = ours.sample(3, currstate=state)
        wanted, wanted_states = theirs.sample(3, currstate=state)
        assert X.tolist() == wanted.tolist() and states.tolist() == wanted_states.tolist()


@cases(
    ("arguments", "complaint"),
    [
        ({"n_samples": 0}, "n_samples must be at least 1, got 0"),
        ({"n_samples": 2.5}, "n_samples must be a whole number, got 2.5"),
        ({"currstate": 2}, "currstate must be between 0 and 1, got 2"),
        ({"currstate": -1}, "currstate must be between 0 and 1, got -1"),
    ],
)
def test_sample_rejects_invalid_arguments(arguments, complaint):
    model = with_model([[0, 1], [1, 0]], [[0, 1], [1, 0]], [1, 0])
    with pytest.raises((TypeError, ValueError), match=complaint):
        model.sample(**arguments)


def casino(n, rng):
    """Generate hmmlearn's example: a fair die, sometimes replaced by one that favours the six."""
    theirs = CategoricalHMM(2, random_state=int(rng.integers(2**31)))
    theirs.startprob_ = np.array([1.0, 0.0])
    theirs.transmat_ = np.array([[0.95, 0.05], [0.1, 0.9]])
    theirs.emissionprob_ = np.array([[1 / 6] * 6, [0.1] * 5 + [0.5]])
    theirs.n_features = 6
    rolls, states = theirs.sample(n)
    return rolls, states, theirs


def test_fit_finds_the_loaded_die_of_hmmlearns_example():
    """Repeat hmmlearn's example with PartialHMM: train on half of the rolls, test on the rest."""
    rolls, states, truth = casino(6000, np.random.default_rng(0))
    train, check = rolls[:3000], rolls[3000:]
    ours = PartialHMM(2, n_features=6, max_calls=5, random_state=0).fit(train)
    theirs = []
    for seed in range(2):
        theirs.append(CategoricalHMM(2, n_features=6, n_iter=100, random_state=seed))
        theirs[-1].fit(train)
    assert ours.log_likelihood_ == pytest.approx(ours.score(train), abs=1e-6)
    assert ours.log_likelihood_ >= max(model.score(train) for model in theirs) - 1e-3
    assert ours.score(train) > truth.score(train)  # the model was fitted to these rolls
    loaded = ours.emissionprob_[:, 5].argmax()
    assert ours.emissionprob_[loaded, 5] == pytest.approx(0.5, abs=0.08)
    agrees = (ours.predict(check) == loaded) == states[3000:]
    assert agrees.mean() > 0.75


def test_hmmlearn_cannot_improve_a_fit():
    """Check that an iteration of hmmlearn from the fitted model gains nothing."""
    lengths, rolls = [400, 200], casino(600, np.random.default_rng(1))[0]
    ours = PartialHMM(3, n_features=6, max_calls=3, random_state=0).fit(rolls, lengths=lengths)
    theirs = hmmlearns(ours)
    theirs.init_params, theirs.n_iter, theirs.tol = "", 1, 0
    theirs.fit(rolls, lengths)
    assert theirs.score(rolls, lengths) == pytest.approx(ours.log_likelihood_, abs=1e-4)


def test_fit_to_rows_equals_fit_to_one_column_with_lengths():
    X = np.random.default_rng(0).integers(0, 3, (12, 7))
    rows = PartialHMM(3, max_calls=20, random_state=0).fit(X)
    flat, lengths = column(*X)
    one_column = PartialHMM(3, max_calls=20, random_state=0).fit(flat, lengths=lengths)
    assert rows.transmat_.tolist() == one_column.transmat_.tolist()
    assert rows.score(X) == one_column.score(flat, lengths=lengths)
    assert rows.predict(X).shape == (12, 7)
    assert rows.predict(X).ravel().tolist() == one_column.predict(flat, lengths).tolist()
    chances = rows.predict_proba(X)
    assert chances.shape == (12, 7, 3)
    np.testing.assert_allclose(chances.sum(axis=2), 1, atol=1e-12)


def test_second_argument_is_lengths_unless_it_looks_like_a_target():
    X = np.random.default_rng(0).integers(0, 2, (30, 1))
    by_name, by_place, none, with_target = (
        PartialHMM(2, max_calls=5, random_state=0).fit(X, *place, **name).log_likelihood_
        for place, name in (
            ((), {"lengths": [10, 20]}),
            (([10, 20],), {}),
            ((), {}),
            ((np.arange(30),), {}),
        )
    )
    assert by_place == by_name != none == with_target


def test_cross_validation_keeps_each_string_whole():
    """Fit strings of two kinds, 0101… and 0011…: six states predict them better than one."""
    starts = np.random.default_rng(0).integers(0, 4, 24)
    X = np.array(
        [[int(i // (1 + n % 2) % 2) for i in range(a, a + 12)] for n, a in enumerate(starts)]
    )
    scores = {
        N: cross_val_score(
            PartialHMM(N, n_features=2, max_calls=20, random_state=0), X, cv=4
        ).mean()
        for N in (1, 6)
    }
    assert scores[1] == pytest.approx(6 * 12 * math.log(0.5), abs=1.0)
    assert scores[6] > scores[1] + 20


def test_impossible_string_has_probability_zero():
    model = with_model([[1.0]], [[1.0, 0.0]], [1.0])
    assert model.score([[0], [1]]) == -np.inf
    assert np.isnan(model.predict_proba([[0], [1]])).all()


@cases(
    ("X", "lengths", "complaint"),
    [
        ([[0], [1], [0.5]], None, "whole numbers from 0 to .*, got 0.5"),
        ([[0], [-1]], None, "Negative values in data passed to"),
        ([[0], [1], [0]], [2, 2], "add up to 4, but there are 3 symbols"),
        ([[0, 1], [1, 0]], [2, 2, 2], "each row is a sequence. Do not pass lengths"),
        ([["a"], ["b"]], None, "Convert your data to numeric values"),
    ],
)
def test_invalid_arguments_are_rejected(X, lengths, complaint):
    with pytest.raises((TypeError, ValueError), match=complaint):
        PartialHMM(2).fit(X, lengths=lengths)


@cases("symbol", [2, 5, 10**9])
def test_predict_rejects_a_symbol_that_the_fit_did_not_see(symbol):
    model = PartialHMM(2, max_calls=2, random_state=0).fit([[0], [1], [4]])
    with pytest.raises(ValueError, match=f"symbol {symbol}, which was not in the training data"):
        model.predict([[symbol]])


def test_codes_with_gaps_are_renumbered():
    codes, numbers = [[7643], [1234], [7643], [4353]], [[2], [0], [2], [1]]
    model, same = (PartialHMM(2, max_calls=3, random_state=0).fit(x) for x in (codes, numbers))
    assert model.symbols_.tolist() == [1234, 4353, 7643]
    assert same.symbols_.tolist() == [0, 1, 2]
    assert model.emissionprob_.tolist() == same.emissionprob_.tolist()
    assert model.score(codes) == same.score(numbers) == model.log_likelihood_
    assert model.predict(codes).tolist() == same.predict(numbers).tolist()
