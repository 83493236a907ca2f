"""Ctrl-C prints and saves the results so far, with status 130."""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys

import interrupting
import pytest
from cases import cases
from serving import ROOT

import prviz
from prviz.__main__ import main
from prviz.system.interrupts import delayed_interrupt
from prviz.system.progress import ProgressBar

#: Endless commands.
LONG = ["--seconds", "3000"]
ENDLESS = {
    "run": ["run", "bits64", *LONG, "--save", "trace.npz"],
    "compare": ["compare", "bits64", "--seeds", "8", "--work", "1e9"],
    "tune": [
        *("tune", "bits16", "--k1", "2", "8", "--m1", "10", "--work", "5", "--workers", "1"),
        *("--check", "100000", "--store", "tuning.sqlite"),
    ],
    "play": ["play", "bits64", *LONG],
}


def stop(*_):
    raise KeyboardInterrupt


@contextlib.contextmanager
def at_a_terminal(arguments, folder):
    """Start a command with a terminal as standard error; yield it and the terminal's other end."""
    ours, theirs = pty.openpty()
    try:
        with interrupting.heard():
            command = subprocess.Popen(
                [sys.executable, "-m", "prviz", *arguments],
                cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, text=True,
            )  # fmt: skip
    finally:
        os.close(theirs)
    try:
        with command:
            yield command, ours
    finally:
        command.kill()
        os.close(ours)


def read_until(sign, terminal):
    """Return the output up to a given text."""
    seen = b""
    while not re.search(sign, seen):
        seen += os.read(terminal, 4096)  # raises OSError after the command has ended
    return seen


def rest_of(terminal):
    """Return the output of an ended command that has not been read yet."""
    found = b""
    with contextlib.suppress(OSError):  # raised at the end of the output
        while more := os.read(terminal, 4096):
            found += more
    return found


def stopped(name, under_way, folder):
    """Send SIGINT to a command when its progress shows a result; return its output as JSON."""
    with at_a_terminal([*ENDLESS[name], "--json"], folder) as (command, terminal):
        read_until(under_way, terminal)
        command.send_signal(signal.SIGINT)
        out = command.stdout.read()
        status = command.wait(120)
        assert status == 130, rest_of(terminal)
    told = json.loads(out)
    assert told["interrupted"] is True
    return told


@pytest.mark.usefixtures("kernels")
def test_ctrl_c_prints_and_saves_the_run_so_far(tmp_path):
    told = stopped("run", rb" [1-9]\d* calls, best cost [\d.]", tmp_path)
    trace, about = prviz.load_trace(tmp_path / "trace.npz")
    assert told["calls"] == about["calls"] == len(trace) >= 1
    assert told["hash"] == trace.hash() and told["best_cost"] == trace.best[-1]
    problem = prviz.hmm(prviz.datasets.bits(64), 64)
    assert prviz.run(problem, calls=told["calls"]).trace.hash() == told["hash"]


@pytest.mark.usefixtures("kernels")
def test_ctrl_c_cuts_all_runs_of_a_comparison_to_the_same_work(tmp_path):
    told = stopped("compare", rb"8 seeds, [1-9]", tmp_path)
    assert told["seeds"] == [*range(8)] and 0 < told["work"] < 1e9
    assert [each["n"] for each in told["methods"]] == [8, 8]


@pytest.fixture
def interrupted(monkeypatch, tmp_path, capsys):
    """Return a function that runs a command here and interrupts it at a progress text."""
    monkeypatch.chdir(tmp_path)

    def interrupt(name, under_way):
        def watch(bar, *state):
            if re.search(under_way, bar._words(*state)):
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(ProgressBar, "__call__", watch)
        with interrupting.heard():
            assert main([*ENDLESS[name], "--json"]) == 130
        told = json.loads(capsys.readouterr().out)
        assert told["interrupted"] is True
        return told

    return interrupt


def test_ctrl_c_keeps_a_tunings_best_setting_and_runs(interrupted, tmp_path):
    told = interrupted("tune", r"^(10|20|40) seeds")
    assert told["words"].startswith("Best guess so far: ") and told["best"]
    assert (tmp_path / "tuning.sqlite").stat().st_size > 0


def test_ctrl_c_writes_a_replay_of_the_run_so_far(interrupted, tmp_path):
    told = interrupted("play", r"[1-9]\d* calls")
    page = (tmp_path / told["path"]).read_text("utf-8")
    assert page.startswith("<!doctype html>") and told["hash"] in page


def test_ctrl_c_during_imports_prints_no_traceback(tmp_path):
    code = (
        "import os, runpy, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'numba': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.orig_argv = [sys.executable, '-m', 'prviz']\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "runpy.run_module('prviz', run_name='__main__')\n"
    )
    with interrupting.heard():
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
        )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@cases("name", ["compare", "tune"])
def test_ctrl_c_before_the_first_run_prints_no_traceback(name, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("prviz.experiments.runs.contender.Reinitialisation.begin", stop)
    store = ["--store", str(tmp_path / "runs.sqlite")]
    assert main([*ENDLESS[name][:2], "--work", "50", "--workers", "1", *store]) == 130
    printed = capsys.readouterr()
    assert "Stopped." in printed.out + printed.err


def test_ctrl_c_is_reported_in_text_output(monkeypatch, capsys):
    monkeypatch.setattr("prviz.commands.run.ProgressBar.__call__", stop)
    assert main(["run", "bits8", "--seconds", "3000"]) == 130
    out = capsys.readouterr().out
    assert out.endswith("Stopped. This is the best result so far.\n") and "best cost" in out


def test_ctrl_c_before_any_result_sets_the_status(monkeypatch):
    monkeypatch.setattr("prviz.commands.searching.searched.searched", stop)
    assert main(["run", "bits8"]) == 130


def test_ctrl_c_is_raised_after_a_kernel_that_it_would_crash():
    done = []
    with interrupting.heard(), pytest.raises(KeyboardInterrupt), delayed_interrupt():
        signal.raise_signal(signal.SIGINT)
        done.append("kernel")
    assert done == ["kernel"]
