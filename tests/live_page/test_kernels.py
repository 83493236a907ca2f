"""The committed WebAssembly files match the current problems."""

from __future__ import annotations

import hashlib

from prviz.engine.kernels import allocate
from prviz.live_page.kernels import FOLDER, hash_of, manifest
from prviz.problems import PROBLEMS


def test_manifest_describes_the_files_and_the_types_of_the_problems():
    for name, entry in PROBLEMS.items():
        problem, known = entry.tiny(), manifest()[name]
        found = {
            "sha256": hashlib.sha256((FOLDER / f"{name}.wasm").read_bytes()).hexdigest(),
            "problem": hash_of(problem),
            "state": hash_of(allocate(problem)),
        }
        assert found == {key: known[key] for key in found}, f"run: make wasm ARGS={name}"
