"""Rounds of sealed bids solved as matrix games, by the player's view alone."""

from __future__ import annotations

from mcts import DoubleOracle

from ..search_bot import SearchBot


class DoubleOracleBot(SearchBot):
    """A new solution of the round by `mcts.DoubleOracle` at every decision.

    The action is drawn from the mixed strategy with the seed of the bot.
    """

    NAME = "double_oracle"
    SEARCHER = DoubleOracle
    DEFAULT_SIMULATIONS = 1_000_000


BOT = DoubleOracleBot
