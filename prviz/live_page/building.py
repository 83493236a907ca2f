"""``python -m prviz.live_page.building [NAME …]``: build the files in ``assets/wasm``.

Each problem is compiled in a new process, so that its file does not depend on other problems.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ..engine.kernels import allocate
from ..problems import PROBLEMS
from . import kernels
from .compiling.intermediate import recorded
from .compiling.linking import linked
from .compiling.lowering import lowered

#: The cache is off, because cached kernels have no LLVM code. Optimisation is off, because machine
#: code for this computer is not needed.
ENVIRONMENT = {"PRVIZ_CACHE": "off", "NUMBA_OPT": "0", "PYTHONHASHSEED": "0"}


#: Problems whose loops are not unrolled. Without unrolling, searches of hidden Markov models take
#: 0.7 times as long, because unrolled loops need too many registers. Searches of k-medoids would
#: take 1.6 times as long.
ROLLED = {"hmm"}


def build(name: str, folder: Path) -> None:
    """Compile the kernels of a problem and write its file, in a process with ``ENVIRONMENT``."""
    with recorded() as recording:
        functions = kernels.compiled(PROBLEMS[name].tiny())
    exports = {each.fndesc.llvm_func_name: name for name, each in functions.items()}
    modules = [text for each in functions.values() for text in recording.modules(each)]
    code = lowered(modules, exports, unroll=name not in ROLLED)
    (folder / f"{name}.wasm").write_bytes(linked(code, list(functions)))


def build_alone(name: str, folder: Path) -> None:
    """Build the file of a problem in a new process."""
    code = "import sys; from pathlib import Path; from prviz.live_page import building; "
    code += "building.build(sys.argv[1], Path(sys.argv[2]))"
    command = [sys.executable, "-c", code, name, str(folder)]
    subprocess.run(command, check=True, env={**os.environ, **ENVIRONMENT})


def describe(name: str) -> dict[str, Any]:
    """Return the manifest's entry of a file."""
    content = (kernels.FOLDER / f"{name}.wasm").read_bytes()
    problem = PROBLEMS[name].tiny()
    types = {"problem": kernels.hash_of(problem), "state": kernels.hash_of(allocate(problem))}
    frames = b"closing_frame" in content  # the content includes the names of its exports
    return {"sha256": hashlib.sha256(content).hexdigest(), **types, "frames": frames}


def main(names: list[str]) -> None:
    """Build the files of some problems, or all files, and write the manifest."""
    kernels.FOLDER.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda name: build_alone(name, kernels.FOLDER), names or PROBLEMS))
    built = [name for name in PROBLEMS if (kernels.FOLDER / f"{name}.wasm").exists()]
    found = {name: describe(name) for name in built}
    kernels.MANIFEST.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
