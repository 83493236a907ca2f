"""A cache of kernels that can't be written, is full, damaged, or another machine's."""

import errno
import os
import pickle
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from serving import ROOT

from prviz import warm
from prviz.engine import cache
from prviz.problems import PROBLEMS

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


def plus_one(x):
    return x + 1


@pytest.fixture
def place(monkeypatch, tmp_path):
    """Where kernels are kept in this test; what could not be saved is forgotten again."""
    monkeypatch.setattr(cache, "_candidates", lambda: iter([tmp_path / "cache"]))
    monkeypatch.setattr(cache, "unsaved", [])
    cache.folder.cache_clear()
    yield tmp_path / "cache"
    cache.folder.cache_clear()


def kernel():
    return cache.cached_njit()(plus_one)


def hits():
    """How often a fresh process finds the kernel, which it runs."""
    made = kernel()
    assert made(2) == 3
    return sum(made.stats.cache_hits.values())


def no_room(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def not_to_be_written(monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(cache.tempfile, "TemporaryFile", refuse)
    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    monkeypatch.setattr(cache.tempfile, "NamedTemporaryFile", refuse)


def test_what_was_compiled_is_found_again(place):
    assert hits() == 0
    assert hits() == 1
    assert cache.unsaved == []


def test_a_full_folder_that_is_read_only_serves(place, monkeypatch):
    hits()
    (cache.folder() / cache.MARK).touch()
    not_to_be_written(monkeypatch)
    cache.folder.cache_clear()
    assert cache.folder().parent == place
    assert hits() == 1
    assert kernel()(2.5) == 3.5  # compiled, as it was not there, and not kept
    assert len(cache.unsaved) == 1


def test_an_unfinished_folder_that_is_read_only_is_passed_over(place, monkeypatch):
    assert cache.folder().parent == place
    not_to_be_written(monkeypatch)
    cache.folder.cache_clear()
    assert cache.folder() is None


def test_a_folder_without_room_is_passed_over_unless_it_is_full_of_kernels(place, monkeypatch):
    path = cache.folder()
    monkeypatch.setattr(cache.shutil, "disk_usage", lambda _: SimpleNamespace(free=cache.ROOM - 1))
    cache.folder.cache_clear()
    assert cache.folder() is None
    (path / cache.MARK).touch()
    cache.folder.cache_clear()
    assert cache.folder() == path


def test_a_disk_that_fills_up_costs_time_only(place, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(cache.os, "replace", no_room)
        assert hits() == 0
    assert [error.errno for error in cache.unsaved] == [errno.ENOSPC]
    assert [*place.rglob("*.kernel")] == []
    assert hits() == 0
    assert hits() == 1


@pytest.mark.parametrize(
    "content", [b"", b"\x80", pickle.dumps("else")], ids=["empty", "cut", "else"]
)
def test_a_damaged_file_is_made_anew(place, content):
    hits()
    (path,) = place.rglob("*.kernel")
    path.write_bytes(content)
    assert hits() == 0
    assert hits() == 1


def test_kernels_are_marked_as_compiled_only_if_they_are_kept(place):
    cache.unsaved.append(OSError())
    warm._note("landscape")
    assert not warm._marked("landscape")
    cache.unsaved.clear()
    warm._note("landscape")
    assert warm._marked("landscape")
    assert not (cache.folder() / cache.MARK).exists()
    for name in PROBLEMS:
        warm._note(name)
    assert (cache.folder() / cache.MARK).exists()


def folder_of(root, **environment):
    """Where a process keeps its kernels."""
    done = subprocess.run(
        [sys.executable, "-c", "from prviz.engine import cache; print(cache.folder())"],
        cwd=root, env={**os.environ, **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_a_folder_is_for_one_kind_of_processor_wherever_the_project_lies(place, tmp_path):
    here = folder_of(ROOT)
    generic = folder_of(ROOT, NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="")
    assert here != generic
    assert generic == folder_of(ROOT, NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="")
    shutil.copytree(ROOT / "prviz", tmp_path / "moved" / "prviz", copy_function=shutil.copyfile)
    assert folder_of(tmp_path / "moved") == here
