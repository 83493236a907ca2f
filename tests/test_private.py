"""Files and folders that other users can change are recognised by owner and mode."""

import grp
import os
import pwd
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from cases import cases

from prviz.system import private

ME, GROUP, OTHER = 1000, 1000, 1001


@pytest.fixture
def seen(monkeypatch):
    """Return a function that sets the mode, owner and group of all paths."""
    monkeypatch.setattr(os, "getuid", lambda: ME)
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_name="ann"))
    groups = {GROUP: SimpleNamespace(gr_name="ann", gr_mem=[])}
    groups[100] = SimpleNamespace(gr_name="users", gr_mem=[])
    groups[7] = SimpleNamespace(gr_name="ann", gr_mem=["bob"])
    monkeypatch.setattr(grp, "getgrgid", groups.__getitem__)

    def set_status(mode, owner=ME, group=GROUP):
        status = SimpleNamespace(st_mode=mode, st_uid=owner, st_gid=group)
        monkeypatch.setattr(Path, "lstat", lambda _: status)

    return set_status


@cases(
    "status",
    [(0o700,), (0o755,), (0o775,), (0o755, 0, 0)],
)
def test_private_folders_pass_the_check(seen, status):
    mode, *owner = status
    seen(stat.S_IFDIR | mode, *owner)
    private.check_folder(Path("x"))


@cases(
    ("status", "reason"),
    [
        ((stat.S_IFDIR | 0o700, OTHER), "it belongs to another user .uid 1001."),
        ((stat.S_IFDIR | 0o777,), "other users can write to it"),
        ((stat.S_IFDIR | 0o775, ME, 100), "other users can write to it"),
        ((stat.S_IFDIR | 0o775, ME, 7), "other users can write to it"),
        ((stat.S_IFDIR | 0o775, ME, 8), "other users can write to it"),
        ((stat.S_IFDIR | 0o777, 0, 0), "other users can write to it"),
        ((stat.S_IFLNK | 0o777,), "it is a symbolic link"),
        ((stat.S_IFREG | 0o600,), "it is not a folder"),
    ],
)
def test_unsafe_folders_fail_the_check(seen, status, reason):
    seen(*status)
    with pytest.raises(PermissionError, match=reason):
        private.check_folder(Path("x"))


def test_all_folders_pass_the_check_on_systems_without_file_owners(seen, monkeypatch):
    monkeypatch.delattr(os, "getuid")
    seen(stat.S_IFDIR | 0o777)
    private.check_folder(Path("x"))


def test_read_bytes_rejects_a_file_that_others_can_write_to(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"content")
    assert private.read_bytes(file) == b"content"
    file.chmod(0o602)
    with pytest.raises(PermissionError, match="other users can write to it"):
        private.read_bytes(file)
