"""Applies the adjudication rules of a tournament to one game while it is played."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, NamedTuple

from mcts import Game

from ..tournament.adjudication import DRAW_AGREED, MAX_PLIES, RESIGNED, Adjudication


class Verdict(NamedTuple):
    """The end of a game that was not played to its end."""

    ending: str
    """One of `adjudication.ENDINGS`."""
    returns: tuple[float, ...] | None
    """For each player; None where the game counts for nobody."""


class Adjudicator:
    """Counts what the bots of one game say of their chances.

    Values are untrusted. One that is no finite real number counts as none, and one outside the range of the game as the
    nearest number in it. A false value can only cost its own bot: nobody resigns for another, and a draw takes both.

    Args:
        rules: of the tournament.
        game: what is played.
    """

    def __init__(self, rules: Adjudication, game: Game) -> None:
        self._rules = rules
        self._game = game
        self._losing = [0] * game.num_players  # decisions in a row with a value that is low enough to resign
        self._drawn = [0] * game.num_players  # decisions in a row with a value that is close enough to a draw

    def note(self, seat: int, value: float | None) -> None:
        """Count a decision and the value that its bot has said."""
        resign, margin = self._rules.resign_value, self._rules.draw_margin
        draw = (self._game.utility_sum or 0.0) / 2
        is_low = value is not None and resign is not None and value <= resign
        is_drawn = value is not None and margin is not None and abs(value - draw) <= margin
        self._losing[seat] = self._losing[seat] + 1 if is_low else 0
        self._drawn[seat] = self._drawn[seat] + 1 if is_drawn else 0

    def verdict(self, plies: int) -> Verdict | None:
        """The end of the game, None while it goes on; asked after each step of a game that is not over.

        Bots that would resign in the same step do not: each expects the other to win.
        """
        rules, game = self._rules, self._game
        if rules.resign_value is not None:
            resigned = [seat for seat, times in enumerate(self._losing) if times >= rules.resign_moves]
            if len(resigned) == 1:
                returns = [game.max_utility] * game.num_players
                returns[resigned[0]] = game.min_utility
                return Verdict(RESIGNED, tuple(returns))
        if rules.draw_margin is not None and min(self._drawn) >= rules.draw_moves:
            return Verdict(DRAW_AGREED, _drawn_returns(game))
        if rules.max_plies is not None and plies >= rules.max_plies:
            return Verdict(MAX_PLIES, _drawn_returns(game))
        return None


def clean_value(value: Any, game: Game) -> float | None:
    """A value that a bot has said, as a number in the range of the game; None for what is no finite real number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        return None
    return min(max(number, game.min_utility), game.max_utility) if math.isfinite(number) else None


def _drawn_returns(game: Game) -> tuple[float, ...] | None:
    """Equal shares where the sum of returns is constant; None where nobody can say what a draw is worth."""
    total = game.utility_sum
    return None if total is None else (total / game.num_players,) * game.num_players
