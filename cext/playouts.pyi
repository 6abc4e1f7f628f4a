from typing import Literal, Protocol

from .game import State

UNIT: float

class _Truth(Protocol):
    def __bool__(self) -> bool: ...

def play_chunks(
    state: State,
    seed: int,
    count: int,
    first: int,
    step: int,
    stop: _Truth,
    by: Literal["lanes", "playout", "table"] = "lanes",
) -> list[int]: ...
def find_ending_actions(state: State, player: int) -> set[int] | None: ...
def play_recorded(
    state: State, seed: int, orders: list[list[int]] | None = None, share: float = 0.0
) -> tuple[list[float], list[list[int]], int] | None: ...
