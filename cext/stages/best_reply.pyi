from collections.abc import Iterable

from .solver import RoundSolver

Bid = tuple[int, ...]

MOST_BIDS: int
MOST_PURSES: int

class BestReply:
    def __init__(self, solver: RoundSolver, rivals: Iterable[tuple[Bid, int, float]]) -> None: ...
    def value(self, bid: Bid) -> float: ...
    def improve(self, bid: Bid, patience: int) -> tuple[Bid, float]: ...
    def fill_knapsack(self, bid: Bid) -> Bid: ...
