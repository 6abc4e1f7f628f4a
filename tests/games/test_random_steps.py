"""Random steps: the players of a step and the steps of a game draw independently of each other."""

from collections import Counter

import pytest

import mcts
from bots.clocks import decisions_left
from mcts.random_steps import random_game, sample_joint_action

QUANTILE = {31: 61.1, 71: 112.3}
"""Degrees of freedom -> the value that chi-square exceeds with probability 0.001."""


def chi_square(counts, cells):
    """Return the statistic of counts in equally likely cells; a count of 0 may be left out."""
    expected = sum(counts.values()) / cells
    return sum(count**2 for count in counts.values()) / expected - sum(counts.values())


def test_the_actions_of_two_players_are_independent():
    state = mcts.load_game("bidding_ttt").new_initial_state()
    cells = len(state.legal_actions(0)) * len(state.legal_actions(1))
    assert cells == 32
    found = Counter(tuple(sample_joint_action(state, seed)) for seed in range(100 * cells))
    assert len(found) == cells
    assert chi_square(found, cells) < QUANTILE[cells - 1]


def test_the_steps_of_a_game_are_independent():
    first = mcts.load_game("mnk").new_initial_state()
    found = Counter()
    for seed in range(60 * 72):
        steps = random_game(first.clone(), seed)
        next(steps)
        before = next(steps)
        legal = before.legal_actions(1)
        mine = before.history()[0][0]
        found[mine, legal.index(next(steps).history()[1][1])] += 1
    assert chi_square(found, 72) < QUANTILE[71]


def test_players_who_decide_at_once_choose_different_cells():
    game = mcts.load_game("tic_block")
    joints = []
    for seed in range(20):
        state = game.new_initial_state()
        acted = [len(at.acting_players()) for at in random_game(state, seed)]
        joints += [joint for joint, acting in zip(state.history(), acted, strict=True) if acting == 2]
    assert len(joints) > 20
    same = sum(first == second for first, second in joints)
    assert 0 < same < len(joints) / 2


@pytest.mark.parametrize("game", ["tic_block", "bidding_ttt", "points_ttt"])
def test_a_clock_is_divided_by_the_decisions_of_random_games(game):
    """The most of four games is not far from the longest of 200, and not below the mean."""
    first = mcts.load_game(game).new_initial_state()
    decisions = [sum(0 in state.acting_players() for state in random_game(first.clone(), seed)) for seed in range(200)]
    assert sum(decisions) / 200 <= decisions_left(first.view(0)) <= max(decisions)


def test_the_clock_of_tic_block_is_divided_by_15():
    assert decisions_left(mcts.load_game("tic_block").new_initial_state().view(0)) == 15
