"""Errors of the interface: a status, a code for programs, and a message for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcts import IllegalActionError, ParameterError, PlayoutError, StateError, UnsupportedGameError
from mcts.errors import BusyError, LimitError, SpecError, UnknownGameError

from ..errors import BotFailureError, RecordError, UnknownBotError
from ..system.untrusted import clean_line

_CODES: tuple[tuple[type[Exception], int, str], ...] = (
    (IllegalActionError, 422, "illegal_action"),
    (BusyError, 409, "busy"),
    (UnknownGameError, 422, "unknown_game"),
    (UnknownBotError, 422, "unknown_bot"),
    (UnsupportedGameError, 422, "unsupported"),
    (RecordError, 422, "bad_record"),
    (SpecError, 422, "bad_spec"),
    (LimitError, 422, "bad_limit"),
    (ParameterError, 422, "bad_parameter"),
    (StateError, 422, "bad_state"),
    (BotFailureError, 422, "bot_failed"),
    (PlayoutError, 422, "refused"),
)
"""Class of an error of the package -> status and code; the first class that fits counts."""


class Problem(Exception):
    """An error that is sent to the client.

    Args:
        status: the HTTP status.
        code: a word for programs.
        message: one line for people.
        valid: what would be accepted, where it can be listed.
        retry_seconds: time after which the request may succeed.

    Attributes:
        kind: name of the class of the error of the package that it stands for, if any.
    """

    kind: str | None = None

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        valid: Sequence[str] | None = None,
        retry_seconds: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.valid = valid
        self.retry_seconds = retry_seconds

    def to_dict(self) -> dict[str, Any]:
        """Return the body of the answer."""
        valid = None if self.valid is None else list(self.valid)
        return {"error": {"code": self.code, "message": str(self), "valid": valid}}


def problem_of(error: Problem | PlayoutError) -> Problem:
    """Return the error that is sent to a client: a Problem itself, or one for an error of the package."""
    if isinstance(error, Problem):
        return error
    status, code = next((status, code) for kind, status, code in _CODES if isinstance(error, kind))
    problem = Problem(status, code, clean_line(error, 1000))
    problem.kind = type(error).__name__
    return problem
