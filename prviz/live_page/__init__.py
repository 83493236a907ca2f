"""Live pages: a search in the browser, by Numba's kernels compiled to WebAssembly."""
