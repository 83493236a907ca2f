"""Choose hidden states, and redraw them."""
