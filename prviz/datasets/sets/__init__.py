"""Data sets by name: generated, downloaded, or drawn."""
