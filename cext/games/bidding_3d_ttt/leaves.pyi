from collections.abc import Iterable

from numpy import float32
from numpy.typing import NDArray

from ...game.game import Game, State
from ...nets.net import Net

class Leaves:
    def __init__(self, game: Game, net: Net) -> None: ...
    def values(self, states: Iterable[State], *, times: int = 1) -> NDArray[float32]: ...
