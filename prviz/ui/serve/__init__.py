"""The server: routes, limits, and the state of tabs."""
