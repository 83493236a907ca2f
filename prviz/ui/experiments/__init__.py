"""Pages of many runs: Race and Tuning."""
