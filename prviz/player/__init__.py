"""The live player and its stand-alone replay: live runs, frames, HTML and browser scripts."""
