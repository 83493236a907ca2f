"""The problems that prviz can search, one file each."""
