"""Many runs that are watched: contests, tunings, and jobs beside a run."""
