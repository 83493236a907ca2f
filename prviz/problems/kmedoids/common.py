"""What plain and incremental k-medoids share."""

#: An exchange must lower the cost by more than rounding may, as a share of the cost.
ROUNDING = 1e-12
