"""The user's files, child processes and terminal."""
