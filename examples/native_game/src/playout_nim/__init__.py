"""Nim for playout. The game is in `nim.pyx`; playout finds it by the entry point in pyproject.toml."""
