"""The page of the race: many runs of several contenders, side by side."""

from prviz.ui.experiments import race

race.show()
