"""Games before and after they are played, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

NO_SEAT = -1
"""Seat number for "no seat": no bot runs, or the seat is not known."""
NOBODY_LABEL = "nobody"
"""Label that replaces a bot or a player where it is unknown who failed."""


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


@dataclass(frozen=True)
class Failure:
    """A failure of a bot during a game."""

    seat: int
    """Player whose bot failed, or NO_SEAT if that is not known. The game then counts for nobody."""
    kind: str
    """One of `failures.KINDS`."""
    message: str
    """Description of the failure in one line."""
    ply: int
    """Number of plies played before the failure."""
    log: str = field(default="", compare=False)
    """Further text for diagnosis, such as the last lines written by an external engine."""


@dataclass(frozen=True)
class GameRecord:
    """A game after it was played."""

    number: int
    """As in ScheduledGame."""
    block: int
    """As in ScheduledGame."""
    seats: tuple[int, ...]
    """As in ScheduledGame."""
    returns: tuple[float, ...] | None
    """Return of each player, on the scale of the game; None if the game counts for nobody."""
    plies: int
    """Number of plies played after the opening."""
    moves: str
    """Plies separated by spaces. A ply is the action text of the acting player. If several players act at once, it is
    the actions of all players joined by `|`, with `noop` for players who do not act. If chance decides, it is the text
    of the outcome."""
    failures: tuple[Failure, ...] = ()
    """Failures that ended the game. Several bots can fail in the same ply."""
    seconds: tuple[float, ...] = field(default=(), compare=False)
    """Wall-clock time of each player's decisions, in seconds; empty if not known."""
    ending: str = ""
    """One of `bots.records.ADJUDICATED` for an adjudicated game; empty for a game played to its end or forfeited."""
