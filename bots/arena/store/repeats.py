"""Games that were played twice, move for move: they look like more evidence than they are."""

from __future__ import annotations

from dataclasses import dataclass

WORTH_A_WARNING = 0.05
"""Parts of all games: with fewer repeated ones, the error bars are hardly affected."""


@dataclass(frozen=True)
class Repeats:
    """How many games are repetitions."""

    games: int
    """All of them."""
    repeated: int
    """Games that were played before, move for move, by the same bots in the same seats."""
    most: int
    """How often the game that occurred most was played."""

    def warning(self) -> str | None:
        """What a reader of the numbers must know, None where it is of no weight."""
        if self.repeated <= WORTH_A_WARNING * self.games:
            return None
        return (
            f"{self.repeated:,} of {self.games:,} games repeat another one move for move, with the same bots in the "
            f"same seats, one of them {self.most:,} times. Unless chance made them alike, they are no new evidence and "
            "the error bars are too narrow: play more openings."
        )
