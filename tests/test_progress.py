"""prviz.compare, prviz.tune and prviz.choose_k show progress bars and log messages."""

import io
import logging
import re
import sys

import numpy as np
import pytest
from cases import cases

import prviz

PROBLEM = prviz.kmeans(np.random.default_rng(5).normal(size=(60, 2)), 6)
LONG = {
    "compare": lambda **how: prviz.compare(
        PROBLEM, {"full": {"k1": None}}, calls=9, seeds=4, **how
    ),
    "choose k": lambda **how: prviz.choose_k(
        PROBLEM.points, [1, 2], calls=5, seeds=2, references=2, **how
    ),
    "tune": lambda **how: prviz.tune(
        PROBLEM, {"k1": [1], "m1": [5]}, work=20, check=2, store=None, **how
    ),
}


class Terminal(io.StringIO):
    """A fake standard error that claims to be a terminal, or not."""

    def __init__(self, isatty):
        super().__init__()
        self.isatty = lambda: isatty


@cases(
    ("isatty", "progress", "shown"),
    [(False, None, False), (True, None, True), (False, True, True), (True, False, False)],
)
def test_progress_is_shown_at_a_terminal_or_on_demand(monkeypatch, isatty, progress, shown):
    monkeypatch.setattr("prviz.system.progress.INTERVAL", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal(isatty))
    LONG["compare"](progress=progress)
    assert ("compare: " in sys.stderr.getvalue()) is shown


@cases("name", LONG)
def test_progress_is_logged_without_a_bar(monkeypatch, capsys, caplog, name):
    monkeypatch.setattr("prviz.system.progress.LOG_INTERVAL", 0.0)
    with caplog.at_level(logging.INFO, "prviz"):
        LONG[name](progress=False)
    assert any(line.startswith(f"{name}: ") for line in caplog.messages)
    assert capsys.readouterr().err == ""


@cases("name", LONG)
def test_progress_never_goes_back(monkeypatch, name):
    monkeypatch.setattr("prviz.system.progress.INTERVAL", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal(True))
    LONG[name](progress=None)
    assert f"{name}: " in sys.stderr.getvalue()
    shown = [int(share) for share in re.findall(r"(\d+)%", sys.stderr.getvalue())]
    assert shown == sorted(shown) and shown[-1] == 100


@cases("name", LONG)
def test_progress_accepts_only_none_and_booleans(name):
    with pytest.raises(TypeError, match=r"progress must be None, True or False, got 'yes'\."):
        LONG[name](progress="yes")
