from collections.abc import Mapping
from typing import Any

from ..game import Game
from ..game_info import GameInfo

class NetworkGame(Game):
    def __init__(self, info: GameInfo, given: Mapping[str, Any], network: Any, max_steps: int) -> None: ...
    def compare_games(self, games: int, seed: int, seconds: float) -> tuple[int, int, list[float], list[float]]: ...
