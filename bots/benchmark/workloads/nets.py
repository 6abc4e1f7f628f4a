"""Values by nets: of positions, with the sums of the first layer kept by board; of encodings; of leaves of a search."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import mcts
from cext.games.bidding_3d_ttt.leaves import Leaves

from .workload import Workload

SPEC = "bidding_3d_ttt(chips=80,recapture=false)"
BLOCKS = (20,) * 9 + (24, 10)
SIZES = (sum(BLOCKS), 64, 32, 1)
SEARCHED, HIDDEN = "connect_four", (128, 64)
"""A rulesheet, and the hidden layers of the net that guides its search."""
SIMULATIONS = 100_000
POSITIONS = 1000
"""Different positions, after one and two rounds of random bids."""


def positions(game: mcts.Game) -> list[mcts.State]:
    """Return positions that are not over."""
    found: list[mcts.State] = []
    seed = 0
    while len(found) < POSITIONS:
        state = game.new_initial_state()
        for number in range(1 + seed % 2):
            state.apply_actions([state.sample_action(player, 4 * seed + 2 * number + player) for player in range(2)])
        if not state.is_terminal():
            found.append(state)
        seed += 1
    return found


def random_net(game: mcts.Game) -> mcts.ValueNet:
    """Return a net with random weights."""
    import numpy as np

    rng = np.random.default_rng(1)
    layers = [(rng.normal(0, 0.1, b), rng.normal(0, (2 / a) ** 0.5, (a, b))) for a, b in pairwise(SIZES)]
    return mcts.ValueNet(game, layers, blocks=BLOCKS)


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


def leaves(count: int) -> Callable[[], Any]:
    """Return a function that values `count` positions, the same ones again and again."""
    game = mcts.load_game(SPEC)
    return partial(Leaves(game, random_net(game).core).values, positions(game), times=max(1, count // POSITIONS))


def encodings(count: int) -> Callable[[], Any]:
    """Return a function that evaluates `count` encodings in one call."""
    import numpy as np

    game = mcts.load_game(SPEC)
    batch = np.array([state.encode() for state in positions(game)], np.float32)
    return partial(random_net(game).outputs, np.tile(batch, (max(1, count // POSITIONS), 1)))


WORKLOADS = (
    Workload(f"nets/leaves, {SPEC}", "leaves", 400_000, leaves, short_units=POSITIONS),
    Workload(f"nets/encodings, {SPEC}", "encodings", 100_000, encodings, short_units=POSITIONS),
    *(
        Workload(f"nets/search, {SEARCHED}, {name}", "leaves", SIMULATIONS, partial(guided, solver), short_units=50)
        for name, solver in (("proofs", True), ("no proofs", False))
    ),
)
