"""Kinds of failures of bots, and the error with which a bot reports its own failure."""

from __future__ import annotations

from .errors import BotError

CRASH = "crash"
"""The bot raised an exception, or its engine ended or closed its output."""
ILLEGAL = "illegal move"
"""The bot returned something other than a legal action."""
UNREADABLE = "unreadable answer"
"""Its engine wrote text that is not an action, or that the protocol does not define."""
LATE = "late"
"""The bot returned after the deadline, or its clock ran out."""
STALL = "stall"
"""The bot did not return; its process was ended after the deadline."""
DEATH = "death"
"""The process of the bot died during a call of the bot."""
MEMORY = "memory"
"""The bot exceeded its memory limit."""

KINDS = (CRASH, ILLEGAL, UNREADABLE, LATE, STALL, DEATH, MEMORY)


class BotFailureError(BotError):
    """Failure of a bot, reported by the bot itself, for the record of the game.

    Args:
        kind: one of KINDS.
        message: description in one line.
        log: further text for diagnosis, such as the last lines written by an engine; of bounded length.
    """

    def __init__(self, kind: str, message: str, log: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.log = log

    def __reduce__(self) -> tuple[type[BotFailureError], tuple[str, str, str]]:
        return type(self), (self.kind, str(self), self.log)
