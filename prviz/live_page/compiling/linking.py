"""Link an object file to a ``.wasm`` file, with the linker and C compiler of ``ziglang``."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

RUNTIME = Path(__file__).with_name("runtime.c")
STACK = 1 << 20  # bytes
INSTALL = "WebAssembly needs a linker: pip install ziglang"


def linked(code: bytes, exports: Sequence[str]) -> bytes:
    """Link an object file with ``runtime.c``.

    Raises
    ------
    ImportError
        The package ``ziglang`` is missing.
    """
    if importlib.util.find_spec("ziglang") is None:
        raise ImportError(INSTALL)
    with tempfile.TemporaryDirectory() as folder:
        kernels, runtime, whole = (Path(folder, name) for name in ("k.o", "r.o", "all.wasm"))
        kernels.write_bytes(code)
        _zig(
            *("cc", "-target", "wasm32-freestanding", "-mcpu=generic+bulk_memory", "-O2"),
            *("-fno-builtin", "-fno-sanitize=all", "-g0", "-c", str(RUNTIME), "-o", str(runtime)),
        )
        _zig(
            *("wasm-ld", "--no-entry", "--export-table", "--strip-all", "--gc-sections"),
            *("-z", f"stack-size={STACK}", *(f"--export={name}" for name in exports)),
            *("-o", str(whole), str(kernels), str(runtime)),
        )
        return whole.read_bytes()


def _zig(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ziglang", *arguments], check=True)
