"""Compile all kernels and rewrite assertions once, before the workers of pytest start.

Run ``python -m tests.prepare`` before ``pytest -n 3``. Two processes share the work.
"""

from __future__ import annotations

import multiprocessing
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numba

import prviz
from prviz.problems import ON_DEMAND, PROBLEMS
from prviz.warm import compile_alone

HERE = Path(__file__).parent
PROCESSES = 2
CHUNK = 40  # files that a process rewrites at a time


def unusual() -> list[tuple[str, str]]:
    """Return a case of each problem type that only tests use; ``compile_alone`` skips them."""
    found: dict[numba.types.Type, tuple[str, str]] = {}
    usual = [numba.typeof(each.tiny()) for each in (*PROBLEMS.values(), *ON_DEMAND.values())]
    for name, entry in PROBLEMS.items():
        for case, problem in entry.cases().items():
            if (kind := numba.typeof(problem)) not in usual:
                found.setdefault(kind, (name, case))
    return [*found.values()]


def compile_case(name: str, case: str) -> None:
    prviz.run(PROBLEMS[name].cases()[case], k1=1, calls=2)


def rewrite(paths: list[Path]) -> None:
    """Write byte code with pytest's rewritten assertions, so that pytest need not rewrite them."""
    try:
        from _pytest.assertion import rewrite as pytests
        from _pytest.config import get_config

        config, silent = get_config(), SimpleNamespace(trace=lambda text: None)
        for path in paths:
            folder = pytests.get_cache_dir(path)
            kept = folder / (path.stem + pytests.PYC_TAIL)
            if pytests._read_pyc(path, kept) is None:
                source_hash, code = pytests._rewrite_test(path, config)
                folder.mkdir(exist_ok=True)
                pytests._write_pyc(silent, code, source_hash, kept)
    except (ImportError, AttributeError, TypeError, ValueError):
        return  # an unknown version of pytest: each worker rewrites assertions itself


if __name__ == "__main__":
    longest_first = sorted(PROBLEMS, key=lambda name: -PROBLEMS[name].seconds)
    tasks = [partial(compile_alone, name) for name in (*longest_first, *ON_DEMAND)]
    tasks += [partial(compile_case, *each) for each in unusual()]
    found = sorted([*HERE.rglob("test_*.py"), *HERE.rglob("conftest.py")])
    tasks += [partial(rewrite, found[i : i + CHUNK]) for i in range(0, len(found), CHUNK)]
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        for ended in [pool.apply_async(task) for task in tasks]:
            ended.get()
