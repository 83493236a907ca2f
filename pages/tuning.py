"""The page of tuning: find k₁, M₁ and α for a problem by many runs of each setting."""

from prviz.ui.experiments import tuning

tuning.show()
