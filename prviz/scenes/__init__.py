"""Scenes: the layers and channels of each problem, one file per problem."""
