"""Lessons: a few words, a run, and a bet before it is shown."""

from prviz.ui import learn

learn.show()
