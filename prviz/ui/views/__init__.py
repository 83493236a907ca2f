"""The pages: Home, benchmarks, Learn, the paper's figures, and the tour."""
