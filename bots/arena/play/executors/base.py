"""What all executors of the arena have in common."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from types import TracebackType
from typing import Any

from mcts import BotError

from ..heartbeat import NO_GAME
from ..match import NOBODY


class LostError(BotError):
    """A worker died or hung, and the result of its task is lost.

    Args:
        kind: DEATH or STALL.
        game: the number of the game that it was playing, or NO_GAME where that is not known.
        seat: the player that was to decide, or NOBODY.
        detail: what is known of its end, such as its exit code.
    """

    def __init__(self, kind: str, game: int = NO_GAME, seat: int = NOBODY, detail: str = "") -> None:
        super().__init__(f"a worker was lost: {kind} in game {game}, seat {seat} ({detail})")
        self.kind = kind
        self.game = game
        self.seat = seat
        self.detail = detail

    def __reduce__(self) -> tuple[type[LostError], tuple[str, int, int, str]]:
        return type(self), (self.kind, self.game, self.seat, self.detail)


class ArenaExecutor(concurrent.futures.Executor):
    """An executor that says how much it can do at once, and gives up what it is doing at the end of a `with` block."""

    @property
    def slots(self) -> int:
        """How many tasks it can work at side by side, 1 and up."""
        raise NotImplementedError

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=True, cancel_futures=True)


class Task:
    """A call that waits to be made, or is being made, and its future."""

    def __init__(self, call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> None:
        self.call = call
        self.future: concurrent.futures.Future[Any] = concurrent.futures.Future()

    def begin(self) -> bool:
        """True unless it has been cancelled; it can be begun again where the first attempt came to nothing."""
        return self.future.running() or self.future.set_running_or_notify_cancel()

    def succeed(self, result: Any) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)
