"""Monte Carlo tree search for games: the public names of Playout.

`mcts` has the games and searches, `bots` the bots, matches and tournaments, and `cext` the compiled core. Each name
below is imported when it is first used.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bots import (
        BestMove,
        Bot,
        Match,
        Record,
        SearchBot,
        adapters,
        arena,
        best_move,
        errors,
        load_bot,
        register_bot,
        registered_bots,
    )
    from cext import get_include
    from mcts import (
        CHANCE,
        MCTS,
        NOOP,
        SIMULTANEOUS,
        TERMINAL,
        Action,
        Evaluator,
        Game,
        GameInfo,
        Limit,
        PlayoutError,
        PythonGame,
        Result,
        Searcher,
        SearchResult,
        Solution,
        State,
        ValueNet,
        View,
        ViewSearcher,
        check_game,
        game_info,
        load_game,
        load_searcher,
        parameters,
        perft,
        pictures,
        playouts,
        reference,
        register_game,
        register_policy,
        register_searcher,
        registered_games,
        registered_searchers,
        rules,
        searcher_for,
        solve,
    )
    from mcts.learning import self_play

    __version__: str

__all__ = [
    "CHANCE",
    "MCTS",
    "NOOP",
    "SIMULTANEOUS",
    "TERMINAL",
    "Action",
    "BestMove",
    "Bot",
    "Evaluator",
    "Game",
    "GameInfo",
    "Limit",
    "Match",
    "PlayoutError",
    "PythonGame",
    "Record",
    "Result",
    "SearchBot",
    "SearchResult",
    "Searcher",
    "Solution",
    "State",
    "ValueNet",
    "View",
    "ViewSearcher",
    "__version__",
    "adapters",
    "arena",
    "best_move",
    "check_game",
    "errors",
    "game_info",
    "get_include",
    "load_bot",
    "load_game",
    "load_searcher",
    "parameters",
    "perft",
    "pictures",
    "playouts",
    "reference",
    "register_bot",
    "register_game",
    "register_policy",
    "register_searcher",
    "registered_bots",
    "registered_games",
    "registered_searchers",
    "rules",
    "searcher_for",
    "self_play",
    "solve",
]

_MODULES = {
    "adapters": "bots.adapters",
    "arena": "bots.arena",
    "errors": "bots.errors",
    "parameters": "mcts.parameters",
    "pictures": "mcts.pictures",
    "reference": "mcts.reference",
    "self_play": "mcts.learning.self_play",
}


def _refuse_others() -> None:
    """Raise ImportError if `import` finds another `cext`, `mcts` or `bots` than that beside this package.

    The command prints the message and exits with status 2. No package is imported.
    """
    folder = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for name in ("cext", "mcts", "bots"):
        found: Any = sys.modules.get(name) or PathFinder.find_spec(name)
        places = list(getattr(found, "__path__", None) or getattr(found, "submodule_search_locations", None) or ())
        if found is None or os.path.join(folder, name) in map(os.path.realpath, places):
            continue
        file = getattr(found, "__file__", None) or getattr(found, "origin", None) or places[0]
        message = f"{file} hides the package {name!r} of Playout; rename it, or run elsewhere"
        if os.path.splitext(os.path.basename(sys.argv[0]))[0] == "playout":
            print(f"playout: {message}", file=sys.stderr)
            sys.exit(2)
        raise ImportError(message)


_refuse_others()


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            value = version("playout")
        elif name in _MODULES:
            value = importlib.import_module(_MODULES[name])
        elif name in __all__:
            owners = map(importlib.import_module, ("mcts", "cext", "bots"))
            value = next(getattr(owner, name) for owner in owners if name in dir(owner))
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
