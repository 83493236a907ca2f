"""The hierarchy on a page: two sliders, or rows for any number of levels."""
