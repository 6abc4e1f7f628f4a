"""Completion of names in a shell. Parameters after a name are not completed."""

from __future__ import annotations

from mcts import registered_games

from ...registry import registered_bots


def complete_game(incomplete: str) -> list[str]:
    """Return the names of games that begin with a text."""
    return [name for name in registered_games() if name.startswith(incomplete)]


def complete_bot(incomplete: str) -> list[str]:
    """Return the names of bots that begin with a text."""
    return [name for name in registered_bots() if name.startswith(incomplete)]
