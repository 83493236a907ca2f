"""The values of a page, in its link and in the tab between script runs."""
