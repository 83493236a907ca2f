"""The paper's figures, computed anew: what it claims, by which rule data decide, and what they say.

The rules stand in :mod:`prviz.paper.claims`, and were written down before anything was computed.
"""
