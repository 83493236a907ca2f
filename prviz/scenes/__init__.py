"""What the player shows of each problem: layers and channels, one file a problem."""
