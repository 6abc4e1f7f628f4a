"""Strength of the search: against the exact values of all positions."""

import random

import pytest
from brute_force import ZeroSum, successors
from support import random_path

import mcts

POSITIONS = 300
LEAST_SHARE = 0.995
SIMULATIONS = 10_000


def sampled_positions(spec, count):
    """Positions of random play, one of each game."""
    game = mcts.load_game(spec)
    for seed in range(count):
        yield random.Random(seed).choice(random_path(game, seed)[:-1])


@pytest.mark.long
def test_moves_of_points_ttt_are_optimal():
    """In at least 99.5 % of positions the move keeps the exact value of the position."""
    exact = ZeroSum()
    optimal = 0
    for seed, state in enumerate(sampled_positions("points_ttt", POSITIONS)):
        found = mcts.MCTS.plain(state.game, solver=True, seed=seed).run(state, simulations=SIMULATIONS)
        joint = [mcts.NOOP, mcts.NOOP]
        joint[found.player] = found.action
        optimal += exact.value(successors(state)[tuple(joint)]) == exact.value(state)
    assert optimal >= LEAST_SHARE * POSITIONS
