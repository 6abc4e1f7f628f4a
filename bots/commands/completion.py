"""Names that a shell completes on the command line. A parameter list after a name is left to the person."""

from __future__ import annotations

from mcts import registered_games

from ..registry import bot_names


def complete_game(incomplete: str) -> list[str]:
    """Names of games that begin with a text."""
    return [name for name in registered_games() if name.startswith(incomplete)]


def complete_bot(incomplete: str) -> list[str]:
    """Names of bots that begin with a text."""
    return [name for name in bot_names() if name.startswith(incomplete)]
