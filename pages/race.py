"""The race: many runs of several contenders, side by side."""

from prviz.ui import race

race.show()
