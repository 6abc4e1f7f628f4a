"""Noisy optimisation of the parameters of a bot by matches in the arena. docs/tuning.md is the guide."""
