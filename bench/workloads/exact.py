"""Exact solutions by one thread, each in a process of its own; neither read from a cache nor written to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from .child import Child
from .workload import Workload


class Solved(NamedTuple):
    """A game that is solved."""

    spec: str
    passes: int
    needs_mb: int = 0
    is_slow: bool = False


GAMES = (
    Solved("mnk(m=3,n=3,k=3)", 5),
    Solved("mnk(m=4,n=3,k=3)", 5),
    Solved("mnk(m=4,n=4,k=4)", 3, 2000, is_slow=True),
    Solved("points_ttt", 5),
    Solved("bidding_ttt(coins=3)", 5),
    Solved("bidding_ttt(coins=10)", 3, 1000, is_slow=True),
    Solved("tic_block(block_phase=alternating)", 1, 2000, is_slow=True),
    Solved("tic_block(block_phase=simultaneous)", 1, 2000, is_slow=True),
)
_CODE = """
import mcts
def prepare(spec):
    mcts.load_game(spec)
def work(spec):
    solution = mcts.solve(mcts.load_game(spec), cache=False, memory_mb=6000)
    return {
        "states": solution.num_states,
        "canonical_states": solution.num_canonical_states,
        "value": solution.value()[0],
        "mixed_stages": solution.num_mixed_stages,
    }
"""


def prepare(spec: str, count: int) -> Callable[[], dict[str, float]]:
    """Return a function that solves the game in a new process. A process solves once, so `count` is 1."""
    return Child(_CODE, spec)


def figures(found: Mapping[str, float]) -> dict[str, float]:
    """Return the counts of states and the memory."""
    return {name: number for name, number in found.items() if name != "grown_mb"}


WORKLOADS = tuple(
    Workload(
        f"exact/{game.spec}",
        "solutions",
        1,
        partial(prepare, game.spec),
        short_units=0 if game.is_slow else 1,
        rounds=1,
        warmup_rounds=0,
        passes=game.passes,
        needs_mb=game.needs_mb,
        values=figures,
    )
    for game in GAMES
)
