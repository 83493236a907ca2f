"""Tuning: which k₁, M₁ and α for a problem, by many runs of each setting."""

from prviz.ui import tuning

tuning.show()
