"""Searches whose leaves have values and policies by a net."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import mcts

from .workload import Workload

SEARCHED, HIDDEN = "connect_four", (128, 64)
"""A rulesheet, and the hidden layers of the net that guides its search."""
SIMULATIONS = 100_000


def guided(solver: bool, count: int) -> Callable[[], mcts.SearchResult]:
    """Return a function that searches `count` leaves, each with a value and a policy of a random net."""
    import numpy as np

    game = mcts.load_game(SEARCHED)
    rng = np.random.default_rng(1)
    sizes = (game.encoding_size, *HIDDEN, 1)
    layers = [(rng.normal(0, 0.1, b), rng.normal(0, (2 / a) ** 0.5, (a, b))) for a, b in pairwise(sizes)]
    policy = rng.normal(0, 0.1, game.num_actions), rng.normal(0, 0.1, (HIDDEN[-1], game.num_actions))
    net = mcts.ValueNet(game, layers, policy=policy)
    searcher = mcts.MCTS(game, net=net, solver=solver, seed=1)
    return partial(searcher.run, game.new_initial_state(), simulations=count)


WORKLOADS = tuple(
    Workload(f"nets/search, {SEARCHED}, {name}", "leaves", SIMULATIONS, partial(guided, solver), short_units=50)
    for name, solver in (("proofs", True), ("no proofs", False))
)
