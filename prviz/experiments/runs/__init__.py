"""Many runs: how they are made, recorded and stored."""
