"""An error in a kernel is reported with file, function, line and advice."""

import os
import subprocess
import sys
from importlib import import_module

import numba
import numpy as np
import pytest
from contributing import standalone
from serving import ROOT

import prviz
from prviz.engine import kernels
from prviz.engine.errors import KernelError
from prviz.testing import check_problem

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
SOURCE = standalone()


def searched(problem):
    prviz.run(problem, calls=5)


def cost(problem):
    kernels.cost(problem, kernels.allocate(problem))


def iterated(problem):
    kernels.iterate(problem, kernels.allocate(problem), np.random.default_rng(0))


def message(path, monkeypatch, before, after, call):
    """Write a problem with a mistake; return the lines of its error message."""
    assert SOURCE.count(before) == 1
    path.write_text(SOURCE.replace(before, after), "utf-8")
    monkeypatch.syspath_prepend(path.parent)
    module = __import__(path.stem)
    with pytest.raises(KernelError) as told:
        call(module.partition([8, 7, 6, 5, 4]))
    return str(told.value).splitlines()


@pytest.mark.parametrize(
    ("name", "call", "before", "after", "function", "reason"),
    [
        (
            *("typo", searched, "if moved < least", "if moved < lest", "_iterate"),
            "name 'lest' is not defined",
        ),
        (
            *("plain", cost, "@helper\ndef", "def", "_cost"),
            "difference is a plain function: write @helper, of prviz.engine.dispatch, above it",
        ),
        (
            *(
                "field",
                cost,
                "total += state.sides[i] *",
                "total += state.sidez[i] *",
                "difference",
            ),
            "PartitionState has no field sidez",
        ),
        (
            *(
                "kind",
                iterated,
                "state.sides[mover] *= -1",
                'state.sides[mover] = "up"',
                "_iterate",
            ),
            "there is no setitem(array(int64, 1d, C), int64, Literal[str](up))",
        ),
    ],
)
def test_kernel_error_is_reported_with_its_line(
    tmp_path, monkeypatch, name, call, before, after, function, reason
):
    path = tmp_path / f"{name}_in_a_kernel.py"
    told = message(path, monkeypatch, before, after, call)
    assert len(told) == 3
    where, line = told[0].split(": ", 1)[0], told[1].strip()
    assert told[0] == f"{where}: {reason}."
    assert where.startswith(f"{path.name}, line ") and where.endswith(f", in {function}")
    number = int(where.split("line ")[1].split(",")[0])
    assert path.read_text("utf-8").splitlines()[number - 1].strip() == line
    assert "prviz.plain_python()" in told[2]


def python(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("environment", {})}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, **options
    )


def test_problem_may_be_defined_at_the_prompt():
    typed = f"{SOURCE}\nproblem = partition([8, 7, 6])\n"
    done = python("-", input=f"{typed}print(kernels.cost(problem, kernels.allocate(problem)))\n")
    assert (done.stdout, done.stderr) == ("21.0\n", "")


@pytest.fixture
def beyond(tmp_path, monkeypatch):
    """Write a module with a problem whose cost reads out of bounds."""
    source = SOURCE.replace(
        "range(len(problem.numbers)):\n        total", "range(9):\n        total"
    )
    assert source != SOURCE
    (tmp_path / "beyond.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "beyond", raising=False)
    return tmp_path


def test_debug_mode_reports_an_index_out_of_range(beyond):
    run = (
        "from beyond import kernels, partition; problem = partition([8, 7, 6]); "
        "kernels.cost(problem, kernels.allocate(problem))"
    )
    done = python("-c", run, cwd=beyond, environment={"PRVIZ_DEBUG": "1"})
    assert done.stderr.splitlines()[-1] == (
        "IndexError: index is out of bounds, in a kernel of beyond.Partition: "
        "run it under `prviz.plain_python()` to see the line."
    )


def run_plainly(problem):
    with prviz.plain_python():
        prviz.run(problem, calls=5)


@pytest.mark.parametrize("search", [run_plainly, check_problem])
def test_plain_python_shows_the_line_of_an_index_out_of_range(beyond, search):
    problem = import_module("beyond").partition([8, 7, 6])
    with pytest.raises(IndexError, match="index 3 is out of bounds") as caught:
        search(problem)
    last = caught.traceback[-1]
    assert (last.path.name, last.name) == ("beyond.py", "difference")
