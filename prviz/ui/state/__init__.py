"""Values of a page: in its link, and in the tab between two script runs."""
