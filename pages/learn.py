"""Lessons: a few words, a run, and a bet before it is shown."""

from prviz.ui.views import learn

learn.show()
