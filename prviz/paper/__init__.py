"""The paper's figures, computed again: claims, rules and results.

The rules are in :mod:`prviz.paper.claims`, and were committed before anything was computed.
"""
