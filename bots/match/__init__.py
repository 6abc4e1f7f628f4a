"""Games between persons and bots, for programs that embed an opponent, and single decisions of bots."""

from .decision import BestMove, best_move
from .match import Match

__all__ = ["BestMove", "Match", "best_move"]
