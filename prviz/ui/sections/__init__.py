"""What opens below or beside a theatre: δ, ε and M, the probe of ε, affinity propagation."""
