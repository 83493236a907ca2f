"""Many live runs: races, tunings, and jobs beside a run."""
