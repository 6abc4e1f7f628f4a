"""Tournaments between bots: describe one, run it, and read its results. docs/arena.md is the guide.

from bots import arena

tournament = arena.describe("mnk", ["greedy", "random"], games=20, seed=1)
with arena.run(tournament, workers=2) as result:
    print(result)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..game.failures import Failure
    from .api import Result, open, run
    from .description import describe
    from .records import GameRecord, ScheduledGame
    from .results.report import Report
    from .results.sequential import SequentialTest
    from .results.standings import PairingResult, SeatScore, Standing
    from .store.export import record_of
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

_MODULES = {
    "ScheduledGame": "records",
    "SeatScore": "results.standings",
    "describe": "description",
    "record_of": "store.export",
}
"""Modules of the names that `api` does not use."""

if not TYPE_CHECKING:
    # Loaded at first use: worker processes import modules of this package and need none of the statistics.
    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f".{_MODULES.get(name, 'api')}", __name__), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
