from collections.abc import Callable, Sequence

from .circuit import Circuit

class Instances:
    def __init__(self, given: bytes, num_atoms: int) -> None: ...
    def bodies(self, atom: int) -> list[tuple[list[int], list[int]]]: ...
    def build(
        self, circuit: Circuit, literals: Sequence[int], solve: Callable[[list[int], list[int]], None]
    ) -> list[int]: ...
