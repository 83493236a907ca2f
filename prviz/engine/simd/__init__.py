"""Eight numbers at a time: vectors, functions of them, sums, and random numbers."""
