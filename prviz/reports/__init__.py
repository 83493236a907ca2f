"""Reports: what many runs came to, as one HTML file that needs nothing else."""
