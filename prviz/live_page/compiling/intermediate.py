"""Record Numba's LLVM code before machine-specific optimisation."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from numba.core.codegen import CPUCodeLibrary


class Recording:
    """The LLVM modules that Numba compiles in a ``with`` block of :func:`recorded`."""

    def __init__(self) -> None:
        self._modules: WeakKeyDictionary[Any, list[str]] = WeakKeyDictionary()

    def add(self, library: Any, module: Any) -> None:
        self._modules.setdefault(library, []).append(str(module))

    def modules(self, compiled: Any) -> list[str]:
        """Return the modules of a compiled function and of all functions that it calls."""
        libraries: dict[Any, None] = {}
        waiting = [compiled.library]
        while waiting:
            library = waiting.pop(0)
            if library not in libraries:
                libraries[library] = None
                waiting += library._linking_libraries
        return [module for library in libraries for module in self._modules.get(library, [])]


@contextlib.contextmanager
def recorded() -> Iterator[Recording]:
    """Record LLVM code in a ``with`` block. Cached kernels have no LLVM code."""
    recording, add_ir_module = Recording(), CPUCodeLibrary.add_ir_module

    def add(library: Any, module: Any) -> None:
        recording.add(library, module)
        add_ir_module(library, module)  # type: ignore[no-untyped-call]

    CPUCodeLibrary.add_ir_module = add  # type: ignore[method-assign]
    try:
        yield recording
    finally:
        CPUCodeLibrary.add_ir_module = add_ir_module  # type: ignore[method-assign]
