"""Compile Numba's LLVM code to WebAssembly: record it, lower it for wasm32, and link it."""
