"""Monte Carlo tree search for games in turns, simultaneous games and any number of players.

Some names are imported when they are first used: those of exact solutions need NumPy, whose import takes longer than
all the rest, and few programs check games.
"""

import importlib
import typing

from cext.game_info import GameInfo
from cext.python_game import PythonGame
from cext.search.selection import register_selection

from .errors import (
    BusyError,
    EvaluatorError,
    GameLoadError,
    IllegalActionError,
    LimitError,
    NetFileError,
    NotEnumerableError,
    ParameterError,
    PlayoutError,
    PolicyError,
    SpecError,
    StateError,
    UnknownGameError,
    UnknownSearcherError,
    UnsupportedGameError,
)
from .evaluator import Evaluator
from .game import CHANCE, NOOP, SIMULTANEOUS, TERMINAL, Action, Game, State, View, playouts
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
)
from .result import SearchResult
from .searchers.base import AnySearchResult, SampledSearchResult, Searcher
from .searchers.double_oracle import DoubleOracle
from .searchers.mcts import MCTS
from .searchers.sampled_mcts import SampledMCTS
from .spec import format_spec, parse_spec
from .tree_data import tree_to_dot, tree_to_networkx

if typing.TYPE_CHECKING:
    from .contract import GameCheck, GameProblem, check_game
    from .exact.best_responses import BestResponses
    from .exact.bidding_3d_ttt.solution import BiddingSolution
    from .exact.solution import Solution
    from .exact.solve import check_solvable, solve
    from .exact.tabular_solution import TabularSolution

__all__ = [
    "CHANCE",
    "MCTS",
    "NOOP",
    "SIMULTANEOUS",
    "TERMINAL",
    "Action",
    "AnySearchResult",
    "BestResponses",
    "BiddingSolution",
    "BusyError",
    "DoubleOracle",
    "Evaluator",
    "EvaluatorError",
    "Game",
    "GameCheck",
    "GameInfo",
    "GameLoadError",
    "GameProblem",
    "IllegalActionError",
    "Limit",
    "LimitError",
    "NetFileError",
    "NotEnumerableError",
    "ParameterError",
    "PlayoutError",
    "PolicyError",
    "PythonGame",
    "SampledMCTS",
    "SampledSearchResult",
    "SearchResult",
    "Searcher",
    "Solution",
    "SpecError",
    "State",
    "StateError",
    "TabularSolution",
    "UnknownGameError",
    "UnknownSearcherError",
    "UnsupportedGameError",
    "ValueNet",
    "View",
    "check_game",
    "check_solvable",
    "format_spec",
    "game_info",
    "load_game",
    "load_searcher",
    "parse_spec",
    "playouts",
    "register_game",
    "register_searcher",
    "register_selection",
    "registered_games",
    "registered_searchers",
    "rules",
    "solve",
    "tree_to_dot",
    "tree_to_networkx",
]

_LATER = {
    "BestResponses": "exact.best_responses",
    "BiddingSolution": "exact.bidding_3d_ttt.solution",
    "Solution": "exact.solution",
    "TabularSolution": "exact.tabular_solution",
    "check_solvable": "exact.solve",
    "solve": "exact.solve",
    "GameCheck": "contract",
    "GameProblem": "contract",
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
