from collections.abc import Sequence

from .solver import StageSolver

Bid = tuple[int, ...]

def image_of(solver: StageSolver, bid: Bid) -> Bid: ...
def image_value(solver: StageSolver, bid: Bid, other: Bid, count: int) -> float: ...
def reply_to_images(
    solver: StageSolver, start: Bid, bids: Sequence[Bid], weights: Sequence[float], patience: int
) -> tuple[Bid, float]: ...
