"""The hierarchy on a page: sliders, or rows for any number of levels."""
