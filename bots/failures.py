"""Kinds of failures of bots, and the result of a game that somebody gave up."""

from __future__ import annotations

from collections.abc import Collection

from mcts import Game

CRASH = "crash"
"""The bot raised an exception, or its engine ended or closed its output."""
ILLEGAL = "illegal move"
"""The bot returned something other than a legal action."""
UNREADABLE = "unreadable answer"
"""Its engine wrote text that is not an action, or that the protocol does not define."""
LATE = "late"
"""The bot returned after the deadline, or its clock ran out."""
STALL = "stall"
"""The bot did not return; its process was ended after the deadline."""
DEATH = "death"
"""The process of the bot died during a call of the bot."""
MEMORY = "memory"
"""The bot exceeded its memory limit."""

KINDS = (CRASH, ILLEGAL, UNREADABLE, LATE, STALL, DEATH, MEMORY)


def forfeited(game: Game, players: Collection[int]) -> tuple[float, ...]:
    """Return the returns of a game that some players gave up: the least one for them, the greatest for the others."""
    return tuple(game.min_utility if player in players else game.max_utility for player in range(game.num_players))
