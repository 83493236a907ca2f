"""Lessons: a short text, a run, and a bet on how it continues."""

from prviz.ui.views import learn

learn.show()
