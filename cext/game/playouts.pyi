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
