"""Define the fixtures of all tests."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

JIT_OFF = os.environ.get("NUMBA_DISABLE_JIT") == "1"

#: With this package, jsonschema (imported by nbformat) would spend seconds on grammars of URIs.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

settings.register_profile(
    "prviz",
    derandomize=True,
    deadline=None,
    max_examples=5 if JIT_OFF else 30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("prviz")


@pytest.fixture(scope="session")
def kernels() -> None:
    """Compile every kernel, so that no test waits for one."""
    from prviz import warm

    warm.compile_all()


def pytest_collection_modifyitems(items) -> None:
    """Mark tests that need real data sets, for `-m data`; spread browser tests over the run."""
    for item in items:
        if "data_dir" in getattr(item, "fixturenames", ()):
            item.add_marker("data")
    items[:] = spread_browser_files(items)


def pytest_collection_finish() -> None:
    """Collect garbage less often, because the many modules and tests live until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def spread_browser_files(items: list[pytest.Item]) -> list[pytest.Item]:
    """Spread the files of browser tests over the run.

    Browser tests spend more than half of their time waiting. If all workers ran them at once, the
    processors would be idle.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [path for path in files if path.parent.name == "browser"]
    computing = [path for path in files if path.parent.name != "browser"]
    step = len(computing) / max(1, len(waiting))
    place = {path: i * step for i, path in enumerate(waiting)}
    place |= {path: i + 0.5 for i, path in enumerate(computing)}
    return [item for path in sorted(files, key=place.__getitem__) for item in files[path]]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder with the real data sets; skip the test without one."""
    folder = os.environ.get("PRVIZ_DATA_DIR")
    if not folder:
        pytest.skip("needs the real data sets: set PRVIZ_DATA_DIR to their folder")
    return Path(folder)


@pytest.fixture
def offline_sets(monkeypatch):
    """Replace S1 by a small generated set, and make S2 unavailable."""
    from prviz import datasets
    from prviz.ui.benchmarks import kmeans

    def unavailable():
        raise datasets.DataUnavailable("S2 cannot be downloaded: connect to the internet.")

    made = datasets.Points(datasets.a3_like().points[::10], "S1", "made for a test")
    monkeypatch.setattr(kmeans, "SETS", {**kmeans.SETS, "s1": lambda: made, "s2": unavailable})
    kmeans.named.clear()
    yield
    kmeans.named.clear()


@pytest.fixture
def quiet_engine(monkeypatch):
    """Let runs report that they are running, without computing; close all of them at the end."""
    import streamlit as st

    from prviz.player.live import LiveRun
    from prviz.player.resources import store

    monkeypatch.setattr(LiveRun, "start", lambda run: setattr(run, "state", "running"))
    monkeypatch.setattr(LiveRun, "stop", lambda run: setattr(run, "state", "stopped"))
    monkeypatch.setattr(LiveRun, "opening", lambda run, patience=-1: b"")
    yield
    for run in store.held():
        run.close()
    st.cache_resource.clear()
