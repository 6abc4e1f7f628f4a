"""Monte Carlo tree search for games in turns, simultaneous games and any number of players.

Some names are imported when they are first used: those of exact solutions need NumPy, whose import takes longer than
all the rest, and few programs check games.
"""

import importlib
import typing

from cext.game.python_game import PythonGame
from cext.game_info import GameInfo
from cext.search.policies import register_policy

from .errors import IllegalActionError, ParameterError, PlayoutError, StateError, UnsupportedGameError
from .evaluator import Evaluator
from .game import CHANCE, NOOP, SIMULTANEOUS, TERMINAL, Action, Game, State, View, perft, playouts
from .game_rules import rules
from .limits import Limit
from .nets.value_net import ValueNet
from .registry import (
    game_info,
    load_game,
    load_searcher,
    register_game,
    register_searcher,
    registered_games,
    registered_searchers,
    searcher_for,
)
from .results.result import SearchResult
from .searchers.base import Result, Searcher, ViewSearcher
from .searchers.mcts import MCTS

if typing.TYPE_CHECKING:
    from .contract import check_game
    from .exact.solution import Solution
    from .exact.solve import solve
    from .searchers.double_oracle import DoubleOracle

__all__ = [
    "CHANCE",
    "MCTS",
    "NOOP",
    "SIMULTANEOUS",
    "TERMINAL",
    "Action",
    "DoubleOracle",
    "Evaluator",
    "Game",
    "GameInfo",
    "IllegalActionError",
    "Limit",
    "ParameterError",
    "PlayoutError",
    "PythonGame",
    "Result",
    "SearchResult",
    "Searcher",
    "Solution",
    "State",
    "StateError",
    "UnsupportedGameError",
    "ValueNet",
    "View",
    "ViewSearcher",
    "check_game",
    "game_info",
    "load_game",
    "load_searcher",
    "perft",
    "playouts",
    "register_game",
    "register_policy",
    "register_searcher",
    "registered_games",
    "registered_searchers",
    "rules",
    "searcher_for",
    "solve",
]

_LATER = {
    "DoubleOracle": "searchers.double_oracle",
    "Solution": "exact.solution",
    "solve": "exact.solve",
    "check_game": "contract",
}
"""Name -> the module with it, for names that are imported when they are first used."""


def __getattr__(name: str) -> typing.Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
