"""What the pages share: controls, links, the run of a tab, the player, and its routes."""
