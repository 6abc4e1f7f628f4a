import numpy as np
from numpy.typing import NDArray

from ..game import Game

class RandomWalks:
    def __init__(self, game: Game, count: int, seed: int, reduces: bool = True) -> None: ...
    @property
    def game(self) -> Game: ...
    def step(self) -> NDArray[np.uint64]: ...
