"""Figures: ``*_info`` returns the data of a figure; ``plot_*`` draws it with Plotly."""
