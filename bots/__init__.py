"""Bots, and everything that is done with them: tournaments, play at the terminal, the command line.

The names below are imported when they are first used, which keeps the start of the command line short.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .base import Bot
    from .errors import (
        BotError,
        BotFailureError,
        GameFaultError,
        RecordError,
        StoreError,
        TournamentError,
        UnknownBotError,
    )
    from .game import Record
    from .match import BestMove, Match
    from .match.decision import best_move
    from .registry import load_bot, register_bot, registered_bots
    from .search_bot import SearchBot

__all__ = [
    "BestMove",
    "Bot",
    "BotError",
    "BotFailureError",
    "GameFaultError",
    "Match",
    "Record",
    "RecordError",
    "SearchBot",
    "StoreError",
    "TournamentError",
    "UnknownBotError",
    "best_move",
    "load_bot",
    "register_bot",
    "registered_bots",
]

_MODULES = {
    "BestMove": "match",
    "Bot": "base",
    "Match": "match",
    "Record": "game",
    "SearchBot": "search_bot",
    "best_move": "match",
    "load_bot": "registry",
    "register_bot": "registry",
    "registered_bots": "registry",
}
"""Modules of the names that are not errors."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
