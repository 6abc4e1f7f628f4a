"""Searches by each selection policy, by one thread and by two, and with trees of several sizes."""

from __future__ import annotations

from cext.search.policies import JOINT_SELECTIONS, SELECTIONS

from .search import MEMORY_MB, QUICK_GAMES, SIMULATIONS, SINGLE_GAME, search
from .workload import Workload

JOINT_GAME = "bidding_ttt(coins=3)"
"""Game of the comparison of policies where both players decide at once; SINGLE_GAME is that where one does."""
TREE_GAME = "mnk(m=8,n=8,k=5)"
"""Its tree grows with every simulation, up to ten million and more."""
TREE_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


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
    for spec in QUICK_GAMES:
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


WORKLOADS = (*policies(), *threads(), *tree_sizes())
