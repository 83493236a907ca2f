"""Resources that live runs share: cores, memory, compiled kernels, and the storage of runs."""
