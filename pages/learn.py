"""Lessons: a few words, a run, and a bet before it is shown."""

from prviz.ui.pages import learn

learn.show()
