"""The page of the paper's figures."""

from prviz.ui.views import figures

figures.show()
