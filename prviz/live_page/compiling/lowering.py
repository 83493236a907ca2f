"""Compile LLVM code to a WebAssembly object file with llvmlite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba.core.llvm_bindings import create_pass_builder

TRIPLE = "wasm32-unknown-unknown"
#: Pointers have 32 bits, but Numba's integers have 64 bits.
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
#: All browsers have had these features since 2023. Threads are not used, because they need special
#: HTTP headers.
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+mutable-globals,+sign-ext,+nontrapping-fptoint"
_PRIVATE = (llvm.Linkage.internal, llvm.Linkage.private)


def lowered(modules: Sequence[str], exports: Mapping[str, str], unroll: bool = True) -> bytes:
    """Link LLVM modules, optimise them and return an object file.

    Parameters
    ----------
    modules : sequence of str
    exports : mapping of str to str
        Symbols of the functions to keep, and their names in the object.
    unroll : bool
        True to unroll loops.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static"
    )
    whole = llvm.parse_assembly("")
    whole.triple, whole.data_layout = TRIPLE, LAYOUT
    for text in dict.fromkeys(map(_portable, modules)):
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = TRIPLE, LAYOUT
        whole.link_in(module)
    for symbol in (*whole.functions, *whole.global_variables):
        if symbol.is_declaration:
            continue
        if symbol.name in exports:
            symbol.linkage, symbol.name = llvm.Linkage.external, exports[symbol.name]
        elif symbol.linkage not in _PRIVATE:
            symbol.linkage = llvm.Linkage.internal
    whole.verify()
    _optimise(whole, machine, unroll)
    return machine.emit_object(whole)


def _portable(text: str) -> str:
    """Return a module that can be compiled for another target, without this machine's paths."""
    text = re.sub(r"^target (triple|datalayout) = .*$", "", text, flags=re.M)
    # WebAssembly has no common symbols
    text = text.replace(" = common global", " = weak_odr global")
    # with linkonce_odr, the linker would drop functions that only a later module calls
    text = text.replace("define linkonce_odr", "define weak_odr")
    # remove messages of exceptions: they contain paths, and pages do not show them
    return re.sub(
        r'^(@"?\.const\.picklebuf\.[^=]*= .*constant \{[^}]*\}) .*$',
        r"\1 zeroinitializer",
        text,
        flags=re.M,
    )


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, unroll: bool) -> None:
    """Run Numba's optimisation passes for this target."""
    builder = create_pass_builder(machine, opt=0)
    cheap = builder.getModulePassManager()
    cheap.add_global_dead_code_eliminate_pass()
    cheap.add_loop_rotate_pass()
    cheap.add_instruction_combine_pass()
    cheap.add_jump_threading_pass()
    cheap.add_refprune_pass()
    cheap.run(module, builder)
    options: Any = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.loop_unrolling = unroll
    builder = llvm.create_pass_builder(machine, options)
    full: Any = builder.getModulePassManager()
    full.add_refprune_pass()
    full.run(module, builder)
