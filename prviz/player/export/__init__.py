"""The player's script in one file, its keyboard shortcuts, and stand-alone replays."""
