"""Kernel caches may be read-only, full, damaged, or from another machine or user."""

import errno
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest
from cases import cases
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
    """Set the cache folder of a test, and clear the list of save errors."""
    monkeypatch.setattr(cache, "_candidates", lambda: iter([tmp_path / "cache"]))
    monkeypatch.setattr(cache, "unsaved", [])
    cache.folder.cache_clear()
    yield tmp_path / "cache"
    cache.folder.cache_clear()


def kernel():
    return cache.cached_njit()(plus_one)


def hits():
    """Compile or load the kernel; return how many times it came from the cache."""
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


def test_compiled_kernels_are_loaded_from_the_cache(place):
    assert hits() == 0
    assert hits() == 1
    assert cache.unsaved == []


def test_read_only_folder_with_all_kernels_is_used(place, monkeypatch):
    hits()
    (cache.folder() / cache.MARK).touch()
    not_to_be_written(monkeypatch)
    cache.folder.cache_clear()
    assert cache.folder().parent == place
    assert hits() == 1
    assert kernel()(2.5) == 3.5  # not in the cache: compiled, but not saved
    assert len(cache.unsaved) == 1


def test_read_only_folder_without_all_kernels_is_skipped(place, monkeypatch):
    assert cache.folder().parent == place
    not_to_be_written(monkeypatch)
    cache.folder.cache_clear()
    assert cache.folder() is None


def test_folder_on_a_full_disk_is_skipped_unless_all_kernels_are_cached(place, monkeypatch):
    path = cache.folder()
    monkeypatch.setattr(cache.shutil, "disk_usage", lambda _: SimpleNamespace(free=cache.ROOM - 1))
    cache.folder.cache_clear()
    assert cache.folder() is None
    (path / cache.MARK).touch()
    cache.folder.cache_clear()
    assert cache.folder() == path


def test_kernel_that_could_not_be_saved_is_compiled_again(place, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(cache.os, "replace", no_room)
        assert hits() == 0
    assert [error.errno for error in cache.unsaved] == [errno.ENOSPC]
    assert [*place.rglob("*.kernel")] == []
    assert hits() == 0
    assert hits() == 1


@cases("content", [b"", b"\x80", pickle.dumps("else")])
def test_damaged_file_is_rebuilt(place, content):
    hits()
    (path,) = place.rglob("*.kernel")
    path.write_bytes(content)
    assert hits() == 0
    assert hits() == 1


def test_kernels_are_marked_as_compiled_only_if_saved(place):
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


def test_folder_is_private_to_the_user(place):
    assert cache.folder().stat().st_mode & 0o777 == 0o700
    assert place.stat().st_mode & 0o777 == 0o700


def test_cache_never_uses_a_folder_that_others_can_write_to(place):
    place.mkdir()
    place.chmod(0o777)
    assert cache.folder() is None
    assert hits() == hits() == 0


def test_cache_warns_if_it_cannot_use_the_chosen_folder(tmp_path, monkeypatch, caplog):
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    chosen.chmod(0o777)
    monkeypatch.setenv("PRVIZ_CACHE_DIR", f"{chosen}/")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache.folder.cache_clear()
    assert cache.folder().parent == tmp_path / "prviz"
    cache.folder.cache_clear()
    (said,) = caplog.messages
    assert said.startswith(f"PRVIZ_CACHE_DIR={chosen} is not used (other users can write to it).")


class Spy:
    """Create a folder when unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.fixture
def planted(place, tmp_path):
    """Replace a cached kernel by a pickle that makes a folder; return both paths."""
    hits()
    (file,) = place.rglob("*.kernel")
    file.write_bytes(pickle.dumps(Spy(tmp_path / "loaded")))
    return file, tmp_path / "loaded"


def test_load_unpickles_a_file_in_a_private_folder(planted):
    """Check that unpickling makes the folder that the tests below look for."""
    hits()
    assert planted[1].exists()


@pytest.mark.parametrize("which", ["file", "unit", "kernels", "base"])
def test_load_skips_files_that_others_can_write(place, planted, which):
    file, loaded = planted
    path = {"file": file, "unit": file.parent, "kernels": cache.folder(), "base": place}[which]
    path.chmod(path.stat().st_mode | 0o002)
    cache.folder.cache_clear()
    assert hits() == 0
    assert not loaded.exists()


@pytest.mark.parametrize("which", ["unit", "kernels", "base"])
def test_load_skips_a_folder_behind_a_symbolic_link(place, planted, which, tmp_path):
    file, loaded = planted
    path = {"unit": file.parent, "kernels": cache.folder(), "base": place}[which]
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    cache.folder.cache_clear()
    assert hits() == 0
    assert not loaded.exists()


@pytest.fixture
def temporary(monkeypatch):
    """Return the only folder that the cache could use; every user can write to it."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o1777)
        monkeypatch.setattr(tempfile, "tempdir", name)
        monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")  # not a folder
        monkeypatch.delenv("PRVIZ_CACHE_DIR", raising=False)
        cache.folder.cache_clear()
        yield Path(name)
        cache.folder.cache_clear()


NOBODY = 65534  # user id of the attacker
PLANT = 'mkdir -p "$(dirname "$0")" && cat > "$0" && { test -z "$1" || ln -s "$1" "$2"; }'


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as another user"
)
@pytest.mark.parametrize("linked", [False, True], ids=["folder", "link"])
def test_load_skips_files_planted_by_another_user(temporary, tmp_path, linked):
    assert (hits(), hits()) == (0, 1)
    ours = temporary / f"prviz-{os.getuid()}"
    (file,) = ours.rglob("*.kernel")
    shutil.rmtree(ours)
    base = temporary / "planted" if linked else ours
    subprocess.run(
        ["sh", "-c", PLANT, base / file.relative_to(ours), *([base, ours] if linked else [])],
        input=pickle.dumps(Spy(tmp_path / "loaded")),
        user=NOBODY, group=NOBODY, extra_groups=[], check=True,
    )  # fmt: skip
    assert file.exists() and file.owner() == "nobody"
    cache.folder.cache_clear()
    assert hits() == 0
    assert not (tmp_path / "loaded").exists()


def test_cache_folder_depends_on_the_processor_not_on_the_project_path(
    place, tmp_path, monkeypatch
):
    here = cache.folder().name
    shutil.copytree(
        ROOT / "prviz", tmp_path / "moved" / "prviz", copy_function=shutil.copyfile,
        ignore=shutil.ignore_patterns("static", "ui"),
    )  # fmt: skip
    moved = subprocess.run(
        [sys.executable, "-c", "from prviz.engine import cache; print(cache.folder().name)"],
        cwd=tmp_path / "moved", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert moved.stdout.strip() == here
    monkeypatch.setattr(numba.config, "CPU_NAME", "x86-64")
    monkeypatch.setattr(numba.config, "CPU_FEATURES", "")
    cache.folder.cache_clear()
    assert cache.folder().name != here
