"""The live player and its stand-alone replay: frames, HTML and the browser side."""
