"""Resources shared by live runs: cores, memory, compiled kernels, and run storage."""
