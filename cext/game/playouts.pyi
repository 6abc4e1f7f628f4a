from typing import Literal, Protocol

from .game import Game, State

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
def perft(state: State, depth: int) -> int: ...
def has_evaluation(game: Game) -> bool: ...
def evaluate(state: State) -> list[float]: ...
