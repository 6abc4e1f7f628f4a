"""Bots for a tournament that names none."""

from __future__ import annotations

from mcts import Game
from mcts.random_steps import has_early_ends
from mcts.registry import searcher_class


def default_bots(game: Game) -> tuple[str, ...]:
    """Return specs of bots that suit a game, from the weakest.

    They are `random`, the bot of the strongest search, and between them `greedy` where actions can end the game early:
    it looks one step ahead, and is no better than `random` where all games take about the same number of steps.

    Example:
        >>> from bots.arena.default_bots import default_bots
        >>> default_bots(mcts.load_game("mnk"))
        ('random', 'greedy', 'mcts')
        >>> default_bots(mcts.load_game("oh_hell"))
        ('random', 'ismcts')
    """
    return ("random", *(["greedy"] if has_early_ends(game) else []), searcher_class(game).NAME)
