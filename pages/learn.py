"""The page of lessons. A lesson is a short text, a run, and a bet on how the run continues."""

from prviz.ui.views import learn

learn.show()
