"""Tree searches of a fixed number of simulations from the first state of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mcts

from .playouts import specs
from .workload import EXPLORATION, Workload

MEMORY_MB = 1024
SEED = 1
SIMULATIONS = 100_000
SINGLE_GAME = "mnk(m=5,n=5,k=4)"
QUICK_GAMES = ("mnk(m=3,n=3,k=3)", SINGLE_GAME, "three_player_ttt(torus=false)", "bidding_ttt(coins=3)")


def prepare(spec: str, parameters: dict[str, Any], simulations: int) -> Callable[[], mcts.SearchResult]:
    """Return a function that searches with a new tree."""
    game = mcts.load_game(spec)
    searcher = mcts.MCTS.plain(game, **{"memory_mb": MEMORY_MB, "seed": SEED, "exploration": EXPLORATION, **parameters})
    state = game.new_initial_state()
    while state.is_chance():
        state.apply_action(state.sample_outcome(SEED))
    return partial(searcher.run, state, simulations=simulations)


def sizes(result: mcts.SearchResult) -> dict[str, float]:
    """Return the memory of the tree per simulation."""
    return {"tree_bytes_per_simulation": result.memory_bytes / result.simulations}


def search(name: str, spec: str, simulations: int = SIMULATIONS, **more: Any) -> Workload:
    """Return the workload of a search; `parameters` in `more` are those of the searcher."""
    parameters = more.pop("parameters", {})
    make = partial(prepare, spec, parameters)
    return Workload(name, "simulations", simulations, make, short_units=50, values=sizes, **more)


WORKLOADS = tuple(
    search(f"search/{spec}", spec, quick=spec in QUICK_GAMES)
    for spec in (*specs(), SINGLE_GAME)
    if mcts.load_game(spec).is_enumerable
)
