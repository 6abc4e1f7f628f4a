"""Parts of records as data, and the values and sizes that the format allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FORMAT = "playout-game"
VERSION = 1
"""Version of the format that is written. All versions up to this one are read."""

FINISHED = "finished"
RESIGNED = "resigned"
DRAW_AGREED = "draw agreed"
MAX_PLIES = "max plies"
FAILED = "failed"
UNFINISHED = "unfinished"
ENDINGS = (FINISHED, RESIGNED, DRAW_AGREED, MAX_PLIES, FAILED, UNFINISHED)
ADJUDICATED = (RESIGNED, DRAW_AGREED, MAX_PLIES)
"""Endings by a rule of a tournament. A person resigns too."""

MOST_PLAYERS = 64
MOST_RESTARTS = 2**53
LONGEST_NAME = 1000
LONGEST_TEXT = 100_000
"""Characters of an action or a state."""


@dataclass(frozen=True)
class RecordedSeat:
    """A player and who played it."""

    player: str
    """Name of the player."""
    bot: str | None = None
    """Spec of the bot; None for a person."""
    name: str = ""
    """Name of the person or the bot; empty without one."""
    seconds: float | None = None
    """Sum of the times of all decisions; None if unknown."""


@dataclass(frozen=True)
class RecordedPly:
    """The actions of one ply."""

    actions: Mapping[str, str | None]
    """Name of each player who decided -> text of the action, None for one that is hidden. The outcome of chance has
    the key `chance`."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Name of a player -> wall-clock time of the decision, where it is known."""
    values: Mapping[str, float] = field(default_factory=dict)
    """Name of a player -> the return that its bot expected, where the bot gave one."""


@dataclass(frozen=True)
class RecordedFailure:
    """A failure of a bot that ended the game, or its record."""

    player: str | None
    """Name of the player whose bot failed; None if unknown."""
    kind: str
    """One of `errors.KINDS`."""
    message: str
    """Description in one line."""
    ply: int
    """Number of plies before the failure."""


@dataclass(frozen=True)
class RecordedRules:
    """The rulesheet of a game."""

    sha256: str
    """SHA-256 of the text, as 64 hexadecimal digits."""
    text: str | None = None
    """The text; None in a record that does not carry it."""


@dataclass(frozen=True)
class RecordedView:
    """The view of a player, in a record of what this player knows."""

    player: str
    """Name of the player."""
    text: str
    """The view after the last ply, as `View.to_text` writes it."""
