"""All errors: those of `mcts.errors`, and of bots, tournaments and stored games; and kinds of failure of bots."""

from __future__ import annotations

from mcts.errors import *  # noqa: F403
from mcts.errors import PlayoutError

CRASH = "crash"
"""The bot raised an exception, or its engine ended or closed its output."""
ILLEGAL = "illegal move"
"""The bot, or its engine as text, returned something other than a legal action."""
UNREADABLE = "unreadable answer"
"""Its engine wrote text that the protocol does not define, or that the rules fail to read."""
LATE = "late"
"""The bot returned after the deadline, or its clock ran out."""
STALL = "stall"
"""The bot did not return; its process was ended after the deadline."""
DEATH = "death"
"""The process of the bot died during a call of the bot."""
MEMORY = "memory"
"""The bot exceeded its memory limit."""
RESIGN = "resigns"
"""The bot gives the game up. This is a loss and no failure."""

KINDS = (CRASH, ILLEGAL, UNREADABLE, LATE, STALL, DEATH, MEMORY)


class BotError(PlayoutError):
    """A bot failed: it raised an exception, stalled, or returned something other than a legal action."""


class BotFailureError(BotError):
    """A failure of a bot with its kind: reported by the bot itself, or noted by what uses it.

    Args:
        kind: one of `errors.KINDS`, or RESIGN.
        message: description in one line.
        log: further text for diagnosis, such as the last lines written by an engine; of bounded length.
        steps: joint actions to a state in which the code of the game raised the error, if it did.
    """

    def __init__(self, kind: str, message: str, log: str = "", steps: tuple[tuple[int, ...], ...] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.log = log
        self.steps = steps

    def __reduce__(self) -> tuple[type[BotFailureError], tuple[object, ...]]:
        return type(self), (self.kind, str(self), self.log, self.steps)


class GameFaultError(PlayoutError):
    """The code of a game failed, and fails again at the same place without any bot."""


class RecordError(PlayoutError, ValueError):
    """A record of a game cannot be read, written or replayed: something in it is missing, wrong or not allowed."""


class StoreError(PlayoutError):
    """A file of stored games cannot be used: it is damaged, of a newer version, in use, or lacks what was asked for."""


class TournamentError(PlayoutError, ValueError):
    """A tournament cannot be played: its bots, rounds, openings, limits or executor do not fit together."""


class UnknownBotError(PlayoutError, LookupError):
    """No bot has this name."""
