"""Memory of a search: bytes of the tree, and growth of the process, per simulation.

Each search runs in a process of its own. In a process that has searched before, it would reuse freed memory and seem to
need less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from .child import Child
from .workload import Workload

SPECS = (
    "mnk(m=3,n=3,k=3)",
    "mnk(m=5,n=5,k=4)",
    "three_player_ttt(torus=false)",
    "points_ttt",
    "tic_block(block_phase=simultaneous)",
    "bidding_ttt(coins=3)",
)
SIMULATIONS = 100_000
_CODE = """
import mcts
from bots.benchmark.workloads.workload import EXPLORATION
def searcher(spec, memory_mb):
    return mcts.MCTS.plain(mcts.load_game(spec), memory_mb=memory_mb, exploration=EXPLORATION)
def prepare(spec, simulations):
    searcher(spec, 1).run(mcts.load_game(spec).new_initial_state(), simulations=1000)
def work(spec, simulations):
    result = searcher(spec, 4096).run(mcts.load_game(spec).new_initial_state(), simulations=int(simulations))
    return {"memory_bytes": result.memory_bytes, "nodes": result.nodes, "simulations": result.simulations}
"""


def prepare(spec: str, simulations: int) -> Callable[[], dict[str, float]]:
    """Return a function that searches in a new process."""
    return Child(_CODE, spec, str(simulations))


def per_simulation(found: Mapping[str, float]) -> dict[str, float]:
    """Return the bytes per simulation."""
    return {
        "tree_bytes_per_simulation": found["memory_bytes"] / found["simulations"],
        "resident_bytes_per_simulation": found["grown_mb"] * (1 << 20) / found["simulations"],
        "nodes": found["nodes"],
    }


WORKLOADS = tuple(
    Workload(
        f"memory/{spec}",
        "simulations",
        SIMULATIONS,
        partial(prepare, spec),
        short_units=1000,
        rounds=1,
        warmup_rounds=0,
        passes=1,
        values=per_simulation,
    )
    for spec in SPECS
)
