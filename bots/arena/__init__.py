"""Tournaments between bots: describe one, run it, and read its results. docs/arena.md is the guide.

from bots import arena

tournament = arena.describe("mnk", ["greedy", "random"], games=20, seed=1)
with arena.run(tournament, workers=2) as result:
    print(result)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..game.failures import Failure
    from .api import Result, describe, open, record_of, run
    from .records import GameRecord, ScheduledGame
    from .results.report import Report
    from .results.sequential import SequentialTest
    from .results.standings import PairingResult, SeatScore, Standing
    from .store.store import StoredGame
    from .tournament.schedule import Tournament

__all__ = [
    "Failure",
    "GameRecord",
    "PairingResult",
    "Report",
    "Result",
    "ScheduledGame",
    "SeatScore",
    "SequentialTest",
    "Standing",
    "StoredGame",
    "Tournament",
    "describe",
    "open",
    "record_of",
    "run",
]

if not TYPE_CHECKING:
    # Loaded at first use: worker processes import modules of this package and need none of the statistics.
    def __getattr__(name: str) -> Any:
        if name in __all__:
            from . import api

            return getattr(api, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
