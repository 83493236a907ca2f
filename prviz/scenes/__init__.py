"""Scenes: how the player draws each problem, one file per problem."""
