from collections.abc import Sequence

from .solver import RoundSolver

Bid = tuple[int, ...]

def image_of(solver: RoundSolver, bid: Bid) -> Bid: ...
def image_value(solver: RoundSolver, bid: Bid, other: Bid, count: int) -> float: ...
def reply_to_images(
    solver: RoundSolver, start: Bid, bids: Sequence[Bid], weights: Sequence[float], patience: int
) -> tuple[Bid, float]: ...
