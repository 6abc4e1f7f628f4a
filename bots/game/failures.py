"""Failures of bots during a game, and the result of a game that somebody gave up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mcts import Game

from ..system.untrusted import Steps

NO_SEAT = -1
"""Seat number for "no seat": no bot runs, or the seat is not known."""
_Bot = TypeVar("_Bot")
_Nobody = TypeVar("_Nobody")


@dataclass(frozen=True)
class Failure:
    """A failure of a bot during a game."""

    seat: int
    """Player whose bot failed, or NO_SEAT if that is not known. The game then counts for nobody."""
    kind: str
    """One of `errors.KINDS`."""
    message: str
    """Description of the failure in one line."""
    ply: int
    """Number of plies played before the failure."""
    log: str = field(default="", compare=False)
    """Further text for diagnosis, such as the last lines written by an external engine."""
    steps: Steps = field(default=(), compare=False)
    """Joint actions to a state in which the code of the game raised the error, as `fault_of` takes them; not stored."""

    def whose(self, seated: Sequence[_Bot], nobody: _Nobody) -> _Bot | _Nobody:
        """Return the entry of the player whose bot failed in a list with one for each player; `nobody` if not known."""
        return nobody if self.seat == NO_SEAT else seated[self.seat]


def forfeited(game: Game, players: Collection[int]) -> tuple[float, ...]:
    """Return the returns of a game that some players gave up: the least one for them, the greatest for the others."""
    return tuple(game.min_utility if player in players else game.max_utility for player in range(game.num_players))
