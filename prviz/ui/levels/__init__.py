"""The hierarchy on a page: sliders, or rows for up to eight levels."""
