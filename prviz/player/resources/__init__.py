"""What watched runs share: cores, memory, compiled kernels, and where runs are held."""
