"""Many live runs: races, tunings, and background jobs."""
