"""Statistics of many runs, each with its confidence interval."""
