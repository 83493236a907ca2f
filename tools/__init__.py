"""Tools that make shipped files, install packages, and check prose and tests."""
