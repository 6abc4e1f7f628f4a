from collections.abc import Sequence
from typing import Any

from numpy import float32
from numpy.typing import NDArray

from ..game.game import State

MOST_LAYERS: int
MOST_WIDTH: int
MOST_OUTPUTS: int
MOST_INPUTS: int
MOST_WEIGHTS: int
MOST_ACTIONS: int

def check_sizes(inputs: int, widths: Sequence[int], actions: int = 0) -> int: ...

class Net:
    def __init__(
        self,
        layers: Sequence[tuple[memoryview[Any], memoryview[Any]] | tuple[NDArray[float32], NDArray[float32]]],
        policy: tuple[memoryview[Any], memoryview[Any]] | tuple[NDArray[float32], NDArray[float32]] | None = None,
    ) -> None: ...
    @property
    def num_inputs(self) -> int: ...
    @property
    def num_outputs(self) -> int: ...
    @property
    def num_actions(self) -> int: ...
    def evaluate(
        self, inputs: NDArray[float32], outputs: NDArray[float32], priors: NDArray[float32] | None = None
    ) -> None: ...
    def priors(self, state: State, actions: Sequence[int], first: int = 0) -> list[float]: ...
