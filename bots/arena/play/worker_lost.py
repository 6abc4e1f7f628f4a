"""Error for a task whose worker was lost."""

from __future__ import annotations

from ...errors import BotError
from ...game.failures import NO_SEAT
from .heartbeat import NO_GAME


class WorkerLostError(BotError):
    """A worker died, hung or broke off, and the result of its task is lost.

    Args:
        kind: DEATH or STALL.
        game: number of the game that it was playing, or NO_GAME if unknown.
        seat: player whose bot was running, or NO_SEAT.
        detail: further information, such as the exit code.
    """

    def __init__(self, kind: str, game: int = NO_GAME, seat: int = NO_SEAT, detail: str = "") -> None:
        super().__init__(f"a worker was lost: {kind} in game {game}, seat {seat} ({detail})")
        self.kind = kind
        self.game = game
        self.seat = seat
        self.detail = detail

    def __reduce__(self) -> tuple[type[WorkerLostError], tuple[str, int, int, str]]:
        return type(self), (self.kind, self.game, self.seat, self.detail)
