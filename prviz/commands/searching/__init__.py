"""Options of the commands that search: a file or an example as a problem, and settings."""
