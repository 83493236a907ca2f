"""Commands never lose results: they check paths before they search and print before they save."""

import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import cases

from prviz.__main__ import main
from prviz.commands.writing import answer, output
from prviz.experiments.runs.store import Store

NAME_ANOTHER = "(File exists). Name another folder."


@pytest.fixture
def never(monkeypatch):
    """Fail if a command reads data, which every command does before it computes."""
    monkeypatch.setattr(
        "prviz.commands.searching.searched.searched",
        lambda _: pytest.fail("the path is checked too late"),
    )


@cases(
    "arguments",
    [
        ["run", "bits8", "--save", "PATH.npz"],
        ["compare", "bits8", "--calls", "2", "--save", "PATH.csv"],
        ["play", "bits8", "--out", "PATH.html"],
    ],
)
def test_commands_check_the_output_path_first(never, tmp_path, capsys, arguments):
    (tmp_path / "file").touch()
    path = f"{tmp_path}/file/x"
    assert main([each.replace("PATH", path) for each in arguments]) == answer.FAILED
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"prviz: {tmp_path}/file cannot be used as a folder {NAME_ANOTHER}\n"


@cases("arguments", [["run", "--save"], ["compare", "--save"], ["play", "--out"]])
def test_commands_reject_an_unknown_suffix(never, capsys, arguments):
    command, option = arguments
    with pytest.raises(SystemExit):
        main([command, "bits8", option, "result.doc"])
    assert "got 'result.doc'" in capsys.readouterr().err


def test_compare_saves_parquet(tmp_path):
    path = tmp_path / "runs.parquet"
    assert main(["compare", "bits8", "--seeds", "2", "--calls", "3", "--save", str(path)]) == 0
    assert set(pd.read_parquet(path)["contender"]) == {"partial", "full"}


def test_checking_an_output_file_neither_creates_nor_changes_it(tmp_path):
    new, old = tmp_path / "made" / "new", tmp_path / "old"
    old.write_text("content")
    output.check_file(new)
    output.check_file(old)
    assert new.parent.is_dir() and not new.exists() and old.read_text() == "content"
    with pytest.raises(answer.Failure, match="Is a directory"):
        output.check_file(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@cases(
    ("arguments", "found"),
    [
        (["run", "--calls", "3", "--save"], "best_cost"),
        (["compare", "--calls", "3", "--seeds", "2", "--save"], "methods"),
        (["play", "--calls", "3", "--out"], "best_cost"),
    ],
)
def test_commands_print_the_result_before_they_save_it(tmp_path, capsys, arguments, found):
    command, *options = arguments
    path = tmp_path / command
    path.symlink_to("/dev/full")  # can be opened, but not written to
    assert main([command, "bits8", "--json", *options, str(path)]) == answer.FAILED
    printed = capsys.readouterr()
    assert found in json.loads(printed.out)
    assert "No space left on device" in printed.err and "Traceback" not in printed.err


def test_run_saves_its_trace_if_standard_output_is_closed(tmp_path, monkeypatch, capsys):
    path = tmp_path / "trace.npz"
    with monkeypatch.context() as patch, open(os.devnull) as closed:  # read-only
        patch.setattr(sys, "stdout", closed)
        assert main(["run", "bits8", "--calls", "3", "--save", str(path)]) == answer.FAILED
    assert path.exists()


@pytest.mark.parametrize("command", ["compare", "tune"])
def test_commands_print_the_result_if_the_store_fails(
    tmp_path, monkeypatch, capsys, caplog, command
):
    def full(*_):
        raise ValueError("the disk is full.")

    monkeypatch.setattr(Store, "add", full)
    options = {
        "compare": ["--seeds", "6", "--calls", "3"],
        "tune": ["--k1", "1", "--m1", "5", "--work", "5", "--check", "0"],
    }[command]
    store = str(tmp_path / "store.sqlite")
    assert main([command, "bits8", "--json", "--store", store, *options]) == answer.FAILED
    assert not json.loads(capsys.readouterr().out)["interrupted"]
    assert caplog.messages == ["Runs are no longer stored: the disk is full."]


# Encodings


@pytest.fixture
def terminal(monkeypatch):
    """Set the encoding of stdout and stderr; return the bytes written there."""

    def set_encoding(encoding):
        written = io.BytesIO()
        for name in ("stdout", "stderr"):
            stream = io.TextIOWrapper(written, encoding, write_through=True)
            monkeypatch.setattr(sys, name, stream)
        return written

    return set_encoding


@cases("encoding", ["gbk", "cp932", "latin-1", "ascii"])
@cases(
    "arguments",
    [
        ["--help"], ["run", "--help"], ["compare", "--help"], ["tune", "--help"],
        ["compare", "bits8", "--method", "k1=2,m1=5", "--seeds", "6", "--calls", "3"],
        ["run", "bits8", "--size", "8", "--set", "ünknown₁=1"],
    ],
)  # fmt: skip
def test_main_writes_in_any_encoding(terminal, encoding, arguments):
    written = terminal(encoding)
    try:
        status = main(arguments)
    except SystemExit as exited:
        status = exited.code
    assert status == (2 if "--set" in arguments else 0)
    assert written.getvalue().decode(encoding)


def test_main_writes_ascii_for_missing_characters(terminal):
    written = terminal("ascii")
    main(["compare", "bits8", "--method", "k1=2,m1=5,alpha=0.5", "--seeds", "6", "--calls", "3"])
    text = written.getvalue().decode("ascii")
    assert "k1 = 2, M1 = 5, alpha = 0.5" in text and "[low-high]" in text


@cases(
    ("text", "shown"),
    [("k₁ ≥ 5 – é…", "k1 >= 5 - e..."), ("\N{NARROW NO-BREAK SPACE}", " "), ("点", "?")],
)
def test_a_missing_character_becomes_ascii_or_a_question_mark(terminal, text, shown):
    written = terminal("ascii")
    output.adapt_streams()
    sys.stdout.write(text)
    assert written.getvalue().decode() == shown


def test_json_is_lossless_in_any_encoding(terminal, tmp_path):
    written = terminal("ascii")
    file = tmp_path / "数据.csv"
    np.savetxt(file, [[0.0], [1.0], [5.0]], delimiter=",")
    given = ["--problem", "kmeans", "--size", "2", "--calls", "2", "--json"]
    assert main(["run", str(file), *given]) == 0
    assert json.loads(written.getvalue())["data"] == str(file)
