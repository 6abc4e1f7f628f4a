"""Tree searches of a fixed number of simulations from the first state of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mcts
from cext.search.search import JOINT_SELECTIONS
from cext.search.selection import SELECTIONS

from .playouts import specs
from .workload import EXPLORATION, Workload

MEMORY_MB = 1024
SEED = 1
SIMULATIONS = 100_000
SINGLE_GAME, JOINT_GAME = "mnk(m=5,n=5,k=4)", "bidding_ttt(coins=3)"
"""Games of the comparison of policies: where one player decides, and where both do."""
THREAD_GAMES = ("mnk(m=3,n=3,k=3)", "mnk(m=5,n=5,k=4)", "three_player_ttt(torus=false)", "bidding_ttt(coins=3)")
TREE_GAME = "mnk(m=8,n=8,k=5)"
"""Its tree grows with every simulation, up to ten million and more."""
TREE_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


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


def policies() -> list[Workload]:
    """Return a search by each selection policy, in a game where it decides."""
    single = [
        search(
            f"selection/{name}",
            SINGLE_GAME,
            parameters={"selection": name, **({"exploration": None} if name == "grave" else {})},
        )
        for name in SELECTIONS
    ]
    joint = [
        search(f"joint_selection/{name}", JOINT_GAME, parameters={"joint_selection": name}) for name in JOINT_SELECTIONS
    ]
    return single + joint


def threads() -> list[Workload]:
    """Return searches by one thread and by two. Each thread does as much work."""
    found = []
    for spec in THREAD_GAMES:
        for count, label in ((1, "one thread"), (2, "two threads")):
            name = f"threads/{spec}, {label}"
            found.append(search(name, spec, count * SIMULATIONS, parameters={"threads": count}))
    return found


def tree_sizes() -> list[Workload]:
    """Return searches whose trees grow to each size. The largest need seconds and much memory."""
    found = []
    for size in TREE_SIZES:
        slow = size > SIMULATIONS
        memory_mb = 100 + size // 10_000  # about 100 bytes a simulation
        found.append(
            search(
                f"tree_size/{size}",
                TREE_GAME,
                size,
                parameters={"memory_mb": max(MEMORY_MB, memory_mb)},
                rounds=1 if slow else 2,
                warmup_rounds=0 if slow else 1,
                passes=3 if size > 1_000_000 else 10,
                needs_mb=2 * memory_mb if slow else 0,
            )
        )
    return found


WORKLOADS = (
    *(
        search(f"search/{spec}", spec, quick=spec in THREAD_GAMES)
        for spec in (*specs(), SINGLE_GAME)
        if mcts.load_game(spec).is_enumerable
    ),
    *policies(),
    *threads(),
    *tree_sizes(),
)
