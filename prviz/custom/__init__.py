"""Problems of your own: plain functions, compiled functions, and SciPy optimisers."""
