"""Runs are stored in the user's cache by default."""

import logging

import pytest
from cases import cases

import prviz
from prviz.experiments.runs.default_store import NAME, default_store

PROBLEM = prviz.kmeans([[0.0], [2.0], [10.0], [11.0]], 2)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("PRVIZ_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def tune(**given):
    return prviz.tune(PROBLEM, {"k1": [1], "m1": [2]}, work=20, rungs=(2, 4), check=0, **given)


def test_tune_stores_runs_in_the_cache(cache, monkeypatch, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    first, again = tune(), tune()
    assert first.store == again.store == cache / NAME
    assert first.made > 0 == again.made
    assert [*work.iterdir()] == []


@cases("store", [None, False])
def test_tune_stores_nothing_without_a_store(cache, store):
    assert tune(store=store).store is None
    assert not cache.exists()


def test_default_store_is_in_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("PRVIZ_CACHE_DIR", raising=False)
    monkeypatch.setattr("prviz.system.private.user_cache_path", lambda *_, **__: tmp_path / "user")
    assert default_store() == tmp_path / "user" / NAME


def occupied(cache):
    cache.write_text("a file")


def open_to_all(cache):
    cache.mkdir(mode=0o777)
    cache.chmod(0o777)


def no_database(cache):
    cache.mkdir(mode=0o700)
    (cache / NAME).write_text("text " * 1000)


def written_by_others(cache):
    cache.mkdir(mode=0o700)
    (cache / NAME).touch()
    (cache / NAME).chmod(0o666)


@pytest.mark.parametrize("spoil", [occupied, open_to_all, no_database, written_by_others])
def test_tune_warns_once_and_runs_without_an_unusable_store(cache, caplog, spoil):
    spoil(cache)
    with caplog.at_level(logging.WARNING):
        found = tune()
    assert found.done and found.store is None
    (message,) = caplog.messages
    assert message.startswith(f"Runs are not stored. {cache}")
