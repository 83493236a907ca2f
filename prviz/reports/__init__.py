"""Reports of many runs, each as one stand-alone HTML file."""
