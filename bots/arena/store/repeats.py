"""Games that repeat another game move for move, and therefore add no evidence."""

from __future__ import annotations

from dataclasses import dataclass

from cext.arguments import counted

WARNING_SHARE = 0.05
"""Share of repeated games above which there is a warning; with fewer, error bars are hardly affected."""


@dataclass(frozen=True)
class Repeats:
    """Counts of repeated games."""

    games: int
    """Number of all games."""
    repeated: int
    """Number of games that repeat an earlier one move for move, with the same bots in the same seats."""
    most: int
    """Number of times that the most frequent game was played."""

    def warning(self) -> str | None:
        """Return the warning for a reader of the numbers; None if few games are repeated."""
        if self.repeated <= WARNING_SHARE * self.games:
            return None
        of = f"of {counted(self.games, 'game')}"
        many = counted(self.repeated, f"{of} repeats", f"{of} repeat")
        return (
            f"{many} another one move for move, with the same bots in the same seats, one of them {self.most:,} times. "
            "Unless they are equal by chance, they add no evidence, and the error bars are too narrow: play more "
            "openings."
        )
