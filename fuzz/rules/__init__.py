"""The rules of the games in plain Python, written from the pages in docs/games, to compare the compiled rules with.

A position is the dict of `State.to_dict`; actions are texts. One file has the rules of one family of games.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import mcts

from . import bids, blocks, boards, cards

Position = dict[str, Any]


class Rules(Protocol):
    """The rules of a game with its parameters."""

    def start(self) -> Position:
        """Return the first position."""
        ...

    def acting(self, at: Position) -> list[int]:
        """Return the players who decide; none at the end, and where chance decides."""
        ...

    def legal(self, at: Position, player: int) -> list[str]:
        """Return the texts of the legal actions of a player who decides."""
        ...

    def after(self, at: Position, texts: dict[int, str]) -> Position:
        """Return the position after the actions of all players who decide."""
        ...

    def returns(self, at: Position) -> list[float]:
        """Return the returns of a finished game."""
        ...


@runtime_checkable
class ChanceRules(Rules, Protocol):
    """The rules of a game with chance."""

    def outcomes(self, at: Position) -> dict[str, int]:
        """Return text -> weight of what chance may bring; nothing where chance does not decide."""
        ...

    def after_outcome(self, at: Position, text: str) -> Position:
        """Return the position after an outcome."""
        ...


KINDS = {
    "mnk": boards.Mnk,
    "dark_mnk": boards.DarkMnk,
    "points_ttt": boards.Points,
    "dice_ttt": boards.Dice,
    "three_player_ttt": boards.ThreePlayers,
    "bidding_ttt": bids.BiddingTtt,
    "bidding_3d_ttt": bids.Bidding3d,
    "tic_block": blocks.TicBlock,
    "kuhn_poker": cards.Kuhn,
    "leduc_poker": cards.Leduc,
    "liars_dice": cards.LiarsDice,
    "oh_hell": cards.OhHell,
}


def rules_of(game: mcts.Game) -> Rules:
    """Return the plain rules of a game."""
    rules: Rules = KINDS[game.name](**game.parameters)
    return rules
