"""What stands between the pages and the network: routes, limits, and what a tab holds."""
