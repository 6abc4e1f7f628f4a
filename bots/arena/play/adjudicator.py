"""Adjudication of one game while it is played."""

from __future__ import annotations

from typing import NamedTuple

from mcts import Game

from ...game import DRAW_AGREED, MAX_PLIES, RESIGNED
from ...game.failures import forfeited
from ..tournament.adjudication import Adjudication


class Verdict(NamedTuple):
    """Result of an adjudicated game."""

    ending: str
    """One of `bots.game.ADJUDICATED`."""
    returns: tuple[float, ...] | None
    """Return of each player; None if the game counts for nobody."""


class Adjudicator:
    """Counter of the decisions in a row after which each bot expects to lose or to draw.

    The values come from bots and are not trusted. A false value can only harm its own bot: a bot resigns for itself
    alone, and a draw needs both bots.

    Args:
        rules: of the tournament.
        game: the game that is played.
    """

    def __init__(self, rules: Adjudication, game: Game) -> None:
        self._rules = rules
        self._game = game
        self._losing = [0] * game.num_players  # decisions in a row with a value low enough to resign
        self._drawn = [0] * game.num_players  # decisions in a row with a value close enough to a draw

    def count(self, seat: int, value: float | None) -> None:
        """Count a decision with the value that the bot expects, as `clean_value` returns it."""
        resign, margin = self._rules.resign_value, self._rules.draw_margin
        draw = (self._game.utility_sum or 0.0) / 2
        is_low = value is not None and resign is not None and value <= resign
        is_drawn = value is not None and margin is not None and abs(value - draw) <= margin
        self._losing[seat] = self._losing[seat] + 1 if is_low else 0
        self._drawn[seat] = self._drawn[seat] + 1 if is_drawn else 0

    def verdict(self, plies: int) -> Verdict | None:
        """Return the verdict after a ply, or None if the game continues. The game must not be over.

        If both bots would resign in the same ply, neither does: each expects the other to win.
        """
        rules, game = self._rules, self._game
        if rules.resign_value is not None:
            losers = [seat for seat, times in enumerate(self._losing) if times >= rules.resign_moves]
            if len(losers) == 1:
                return resigned(game, losers[0])
        if rules.draw_margin is not None and min(self._drawn) >= rules.draw_moves:
            return Verdict(DRAW_AGREED, _drawn_returns(game))
        if rules.max_plies is not None and plies >= rules.max_plies:
            return Verdict(MAX_PLIES, _drawn_returns(game))
        return None


def resigned(game: Game, seat: int) -> Verdict:
    """Return the verdict of a game that a player has given up."""
    return Verdict(RESIGNED, forfeited(game, [seat]))


def _drawn_returns(game: Game) -> tuple[float, ...] | None:
    """Return equal shares of a constant sum of returns; None if the sum is not constant."""
    total = game.utility_sum
    return None if total is None else (total / game.num_players,) * game.num_players
