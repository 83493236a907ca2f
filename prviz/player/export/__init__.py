"""The browser side in one file: the script, its keys, and stand-alone replays."""
