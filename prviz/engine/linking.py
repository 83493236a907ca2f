"""Compile each large function once: callers link to it instead of inlining it.

Numba copies the code of all callees into every caller, and compiles the copies again: a helper
below ten levels of callers is compiled eleven times. Here a function of more than ``COPIED`` lines
has its own library. Its callers only declare it, and are linked to it when they are loaded. So the
cache file of a caller contains all libraries that the caller needs. This halves the compile time
and does not change results.

This uses Numba's internals. With an unknown version of Numba, this module raises an ImportError,
and kernels are compiled in Numba's usual way (``cache.py``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import llvmlite.binding as llvm
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.targetconfig import ConfigStack

from .references import POINTER

#: Largest number of lines of LLVM code for which a callee is inlined.
COPIED = 60


class Part(NamedTuple):
    """Machine code of a function that others call, as stored on disk."""

    symbol: str
    library: tuple  # in Numba's serialised form
    environments: tuple


class Library(JITCodeLibrary):
    """The code of one function, with copies of its small callees."""

    def __init__(self, codegen, name: str):
        super().__init__(codegen, name)
        self.enable_object_caching()
        self._own: list[str] = []
        self._apart: bool | None = None
        self._part: Part | None = None

    def add_ir_module(self, module) -> None:
        """Tell LLVM that writing to an array never changes the fields of a reference."""
        for function in module.functions:
            for argument in function.args:
                if argument.type == POINTER:
                    argument.add_attribute("noalias")
                    argument.add_attribute("captures(none)")
        super().add_ir_module(module)

    def add_llvm_module(self, module) -> None:
        defined = (function for function in module.functions if not function.is_declaration)
        self._own.extend(f.name for f in defined if f.linkage == llvm.Linkage.external)
        super().add_llvm_module(module)

    @property
    def apart(self) -> bool:
        """Return True if callers link to this function instead of inlining it."""
        if self._apart is None:
            own = [self.get_function(name) for name in self._own if not _is_wrapper(name)]
            asked = any(b"alwaysinline" in each for f in own for each in f.attributes)
            self._apart = not asked and sum(str(f).count("\n") for f in own) > COPIED
        return self._apart

    def _get_module_for_linking(self):
        self._ensure_finalized()
        if self._shared_module is None and self.apart:
            self._shared_module = llvm.parse_assembly("")
        return super()._get_module_for_linking()

    def serialize_using_object_code(self) -> tuple:
        if not self.apart:
            return super().serialize_using_object_code()
        # Numba reads only the names that this module defines
        stubs = "".join(f'define void @"{name}"() {{ ret void }}\n' for name in self._own)
        code = self._get_compiled_object(), llvm.parse_assembly(stubs).as_bitcode()
        return self.name, "object", code

    @property
    def symbol(self) -> str:
        return self._own[0]

    def part(self) -> Part:
        if self._part is None:
            names = (variable.name for variable in self._final_module.global_variables)
            found = filter(None, map(lookup_environment, names))
            known = tuple(environment for environment in found if environment.can_cache())
            self._part = Part(self.symbol, self.serialize_using_object_code(), known)
        return self._part


def _is_wrapper(name: str) -> bool:
    return name.startswith(("_ZN7cpython", "cfunc."))


def _parts(library) -> dict[str, Part]:
    """Return all libraries that a library's machine code calls, callees first."""
    if (loaded := getattr(library, "prviz_parts", None)) is not None:
        return loaded
    parts: dict[str, Part] = {}
    for callee in library._linking_libraries:
        parts |= _parts(callee)
        if isinstance(callee, Library) and callee.apart:
            part = callee.part()
            parts[part.symbol] = part
    return parts


class KernelCompiler(Compiler):
    """Numba's compiler with separate libraries for large functions."""

    def define_pipelines(self):
        state = self.state
        if state.library is None:
            state.library = Library(state.targetctx.codegen(), state.func_id.func_qualname)
        # Numba compiles callees again for each set of the caller's flags. The flags below matter
        # only for calls from Python or C, so all callees get the same values.
        for_callees = ConfigStack().top()
        for_callees.no_cpython_wrapper = True
        for_callees.discard("no_cfunc_wrapper")
        for_callees.discard("release_gil")
        return super().define_pipelines()


class KernelCacheImpl(CompileResultCacheImpl):
    """Store a function together with the libraries that it calls."""

    def reduce(self, result):
        library = result.library
        own = library.symbol if isinstance(library, Library) and library.apart else None
        return tuple(_parts(library).values()), own, super().reduce(result)

    def rebuild(self, target_context, payload):
        parts, own, payload = payload
        codegen = target_context.codegen()
        _load(codegen, parts)
        result = super().rebuild(target_context, payload)
        result.library.prviz_parts = {part.symbol: part for part in parts}
        if own is not None:
            code, *_, environments = payload
            result.library.prviz_parts[own] = Part(own, code, environments)
            result.library._shared_module = llvm.parse_assembly("")
        return result


def _load(codegen, parts: Iterable[Part]) -> None:
    for part in parts:
        if not codegen._engine.is_symbol_defined(part.symbol):
            codegen.unserialize_library(part.library)
            for environment in part.environments:
                codegen.set_env(environment.env_name, environment)


for _name in ("add_llvm_module", "_get_module_for_linking", "_get_compiled_object", "_unserialize"):
    if not hasattr(JITCodeLibrary, _name):
        raise ImportError(f"numba's code libraries have no {_name}")
