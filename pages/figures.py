"""The page of the paper's figures."""

from prviz.ui import figures

figures.show()
