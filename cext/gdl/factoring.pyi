from collections.abc import Iterable, Mapping, Sequence

from .circuit import Circuit

class Factoring:
    def __init__(self, new: Circuit, groups: Iterable[Iterable[int]]) -> None: ...
    def rebuild(self, old: Circuit, inputs: Mapping[int, int], outputs: Sequence[int]) -> list[int]: ...
