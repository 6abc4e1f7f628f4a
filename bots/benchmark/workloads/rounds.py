"""Rounds of sealed bids solved by double oracle: values of positions a second of the whole solver."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mcts
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver

from .nets import SPEC, random_net
from .workload import Workload

SEEDS = (1, 2)
"""Of the random bids of the first round."""


def solve(view: mcts.View, net: mcts.ValueNet | None, count: int) -> None:
    """Solve the round until `count` positions are valued."""
    RoundSolver(view, 0, seed=1, net=None if net is None else net.core).grow(count)


def prepare(with_net: bool, count: int) -> Callable[[], Any]:
    """Return a function that solves a second round for the first player; the opponent's chips are hidden."""
    game = mcts.load_game(SPEC)
    state = game.new_initial_state()
    state.apply_actions([state.sample_action(player, seed) for player, seed in enumerate(SEEDS)])
    return partial(solve, state.view(0), random_net(game) if with_net else None, count)


WORKLOADS = tuple(
    Workload(f"rounds/{name}, {SPEC}", "leaves", 200_000, partial(prepare, with_net), short_units=1000)
    for name, with_net in (("estimate", False), ("net", True))
)
