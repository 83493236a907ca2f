"""Many runs: who makes them, what is kept of each, and where finished ones are stored."""
