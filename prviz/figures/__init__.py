"""Figures: ``*_info`` says what is drawn, as data; ``plot_*`` draws it with Plotly."""
