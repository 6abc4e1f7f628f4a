from collections.abc import Mapping
from typing import Any

from ..game.game import Game
from ..nets.net import Net
from .policies.joint_selection_table import JointSelection
from .policies.playout_table import PlayoutPolicy
from .policies.selection_table import Selection

GUIDED_PLAYOUTS: str

class SearchMemory:
    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        *,
        memory_bytes: int,
        batch_size: int = 0,
        net: Net | None = None,
    ) -> None: ...
    @property
    def selection(self) -> Selection: ...
    @property
    def joint_selection(self) -> JointSelection: ...
    @property
    def playout(self) -> PlayoutPolicy: ...
    @property
    def batch_size(self) -> int: ...
    @property
    def net(self) -> Net | None: ...
    @property
    def game(self) -> Game: ...
