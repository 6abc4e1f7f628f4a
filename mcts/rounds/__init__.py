"""Rounds of sealed bids in Python: strategies for the first round, value nets and their training."""

LEAST_PROBABILITY = 0.01
"""Bids of a smaller probability are left out of a strategy that is played."""
