"""The pages: Home, a benchmark, Learn, the figures of the paper, and the tour."""
