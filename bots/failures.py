"""The ways in which a bot can fail, by name, and the error by which a bot says itself which one it was."""

from __future__ import annotations

from .errors import BotError

CRASH = "crash"
"""The bot raised an exception, or its engine ended or closed its output."""
ILLEGAL = "illegal move"
"""It answered with something that is no legal action."""
UNREADABLE = "unreadable answer"
"""Its engine answered with something that is no action at all, or that the protocol does not know."""
LATE = "late"
"""It answered after the deadline, or its clock ran out."""
STALL = "stall"
"""It did not answer; its process was ended after the deadline."""
DEATH = "death"
"""Its process died, with the arena's worker in it, while it was to decide."""
MEMORY = "memory"
"""It took more memory than it was allowed."""

KINDS = (CRASH, ILLEGAL, UNREADABLE, LATE, STALL, DEATH, MEMORY)


class BotFailureError(BotError):
    """A bot knows what went wrong with it: what the record of the game is to say.

    Args:
        kind: one of KINDS.
        message: what happened, in one line.
        log: what helps to find out why, such as the last lines that an engine has written; of bounded length.
    """

    def __init__(self, kind: str, message: str, log: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.log = log

    def __reduce__(self) -> tuple[type[BotFailureError], tuple[str, str, str]]:
        return type(self), (self.kind, str(self), self.log)
