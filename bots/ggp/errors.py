"""Errors of conversations with programs on the network."""

from __future__ import annotations

from mcts import PlayoutError


class WireError(PlayoutError):
    """The other program broke HTTP, closed the connection, or could not be reached.

    Args:
        message: one line without text of the other program.
        status: the status of HTTP that a server answers with.
    """

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class MessageError(PlayoutError):
    """A message of the protocol is malformed, or does not fit the match."""
