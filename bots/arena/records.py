"""Games before and after they are played, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from ..game.failures import Failure

NOBODY_LABEL = "nobody"
"""Label that replaces a bot or a player where it is unknown who failed."""


def shown_number(number: int) -> int:
    """Return the number that people read and type for a game: that of the first one, which is game 0, is 1."""
    return number + 1


@dataclass(frozen=True)
class ScheduledGame:
    """A game before it is played."""

    number: int
    """Position in the schedule, 0 and up."""
    block: int
    """Index of the block, 0 and up. The games of a block have consecutive numbers."""
    seats: tuple[int, ...]
    """For each player of the game, the index of its bot."""
    seed: int
    """Root of all random streams of the game, in [0, 2**64)."""
    opening: tuple[str, ...] = ()
    """Actions that are played before the bots begin, or a position; `openings.start_state` reads it."""
    deal: int | None = field(default=None, compare=False, kw_only=True)
    """Root of the outcomes of chance, the same in all games of a block; None for `seed`."""


@dataclass(frozen=True)
class GameRecord(ScheduledGame):
    """A game after it was played."""

    returns: tuple[float, ...] | None = None
    """Return of each player, on the scale of the game; None if the game counts for nobody."""
    plies: int = 0
    """Number of plies played after the opening."""
    moves: str = ""
    """Plies separated by spaces. A ply is the action text of the acting player. If several players act at once, it is
    the actions of all players joined by `|`, with `noop` for players who do not act. If chance decides, it is the text
    of the outcome."""
    failures: tuple[Failure, ...] = ()
    """Failures that ended the game. Several bots can fail in the same ply."""
    seconds: tuple[float, ...] = field(default=(), compare=False)
    """Wall-clock time of each player's decisions, in seconds; empty if not known."""
    slowest: tuple[float, ...] = field(default=(), compare=False, kw_only=True)
    """Wall-clock time of each player's longest decision, in seconds; not read back from a file."""
    decisions: tuple[tuple[float, float | None], ...] = field(default=(), compare=False, kw_only=True)
    """For each ply, the seconds of the decision and the return that its bot expects, None if unknown; empty if not kept
    (`formats.keeps_decisions`)."""
    ending: str = ""
    """One of `bots.game.ADJUDICATED` for an adjudicated game; empty for a game played to its end or forfeited."""

    @classmethod
    def of(cls, scheduled: ScheduledGame, **played: Any) -> Self:
        """Return the record of a scheduled game, with the fields that its play adds."""
        return cls(**vars(scheduled), **played)
