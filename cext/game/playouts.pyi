from typing import Literal

from .game import Game, State

UNIT: float

def play_chunks(
    state: State,
    seed: int,
    count: int,
    first: int,
    step: int,
    stop: object,
    by: Literal["lanes", "playout", "table"] = "lanes",
) -> list[int]: ...
def perft(state: State, depth: int) -> int: ...
def has_guided_playouts(game: Game) -> bool: ...
def guided_action(state: State, seed: int) -> int: ...
def has_evaluation(game: Game) -> bool: ...
def evaluate(state: State) -> list[float]: ...
