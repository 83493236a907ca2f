"""The page of the paper's figures."""

from prviz.ui.pages import figures

figures.show()
