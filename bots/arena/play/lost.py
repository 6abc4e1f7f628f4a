"""The error that says that a worker was lost, and with it the result of its task."""

from __future__ import annotations

from ...errors import BotError
from ..records import NO_SEAT
from .heartbeat import NO_GAME


class LostError(BotError):
    """A worker died, hung or broke off, and the result of its task is lost.

    Args:
        kind: DEATH or STALL.
        game: the number of the game that it was playing, or NO_GAME where that is not known.
        seat: the player whose bot ran, or NO_SEAT.
        detail: what is known of its end, such as its exit code.
    """

    def __init__(self, kind: str, game: int = NO_GAME, seat: int = NO_SEAT, detail: str = "") -> None:
        super().__init__(f"a worker was lost: {kind} in game {game}, seat {seat} ({detail})")
        self.kind = kind
        self.game = game
        self.seat = seat
        self.detail = detail

    def __reduce__(self) -> tuple[type[LostError], tuple[str, int, int, str]]:
        return type(self), (self.kind, self.game, self.seat, self.detail)
