"""Rounds of sealed bids solved by double oracle: values of positions a second of the whole solver."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mcts
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver

from .workload import Workload

SPEC = "bidding_3d_ttt(chips=80,recapture=false)"
SEEDS = (1, 2)
"""Of the random bids of the first round."""


def solve(view: mcts.View, count: int) -> None:
    """Solve the round until `count` positions are valued."""
    RoundSolver(view, 0, seed=1).grow(count)


def prepare(count: int) -> Callable[[], Any]:
    """Return a function that solves a second round for the first player; the opponent's chips are hidden."""
    state = mcts.load_game(SPEC).new_initial_state()
    state.apply_actions([state.sample_action(player, seed) for player, seed in enumerate(SEEDS)])
    return partial(solve, state.view(0), count)


WORKLOADS = (Workload(f"rounds/estimate, {SPEC}", "leaves", 200_000, prepare, short_units=1000),)
