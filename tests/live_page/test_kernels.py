"""The committed WebAssembly files match the current problems."""

from __future__ import annotations

import hashlib

import pytest

from prviz.engine.kernels import allocate
from prviz.live_page.kernels import FOLDER, hash_of, manifest
from prviz.problems import PROBLEMS


@pytest.mark.parametrize("name", PROBLEMS)
def test_manifest_describes_the_files(name):
    content, known = (FOLDER / f"{name}.wasm").read_bytes(), manifest()[name]
    assert hashlib.sha256(content).hexdigest() == known["sha256"]


@pytest.mark.parametrize("name", PROBLEMS)
def test_stored_kernels_have_the_types_of_the_problems(name):
    problem, known = PROBLEMS[name].tiny(), manifest()[name]
    found = {"problem": hash_of(problem), "state": hash_of(allocate(problem))}
    assert found == {key: known[key] for key in found}, "run: make wasm"
