"""Live pages: a search that runs in the browser, by Numba's kernels as WebAssembly."""
