"""The contract of games: what a table says about the actions that can end the game."""

import itertools

import pytest
from brute_force import successors
from sampling import sweep
from support import VARIANTS, random_path

import mcts
from bench.native import find_ending_actions

STATES = 600  # of each game
TELLING = ["mnk", "points_ttt", "bidding_ttt", "tic_block", "dice_ttt"]


def deciding(state):
    """Return the players who decide; the number of players stands for chance."""
    return [state.game.num_players] if state.is_chance() else list(state.acting_players())


def tells_endings(spec):
    """Return True if the game of a spec has `ending_actions` in its table."""
    state = mcts.load_game(spec).new_initial_state()
    return find_ending_actions(state, deciding(state)[0]) is not None


@sweep("spec", [spec for spec in VARIANTS if tells_endings(spec)], 5)
def test_ending_actions_are_those_that_end_the_game(spec):
    game = mcts.load_game(spec)
    paths = (random_path(game, seed)[:-1] for seed in itertools.count())
    for state in itertools.islice(itertools.chain.from_iterable(paths), STATES):
        ends = [joint for joint, after in successors(state).items() if after.is_terminal()]
        for player in deciding(state):
            told = find_ending_actions(state, player)
            if told is None:  # any action may end the game: near the most moves, or by a pass of a large board
                assert game.name == "go"
            else:
                assert told == {joint[player] for joint in ends}, state.to_text()


def test_games_of_the_package_tell_endings():
    assert all(map(tells_endings, TELLING))
    assert not tells_endings("bidding_3d_ttt")  # whose actions are not listed


def test_only_players_who_decide_have_ending_actions():
    state = mcts.load_game("mnk").new_initial_state()
    for player in (1, 2, -1, 3, 2**31 - 1):
        with pytest.raises(ValueError, match=rf"player={player}; valid: 0"):
            find_ending_actions(state, player)
    with pytest.raises(ValueError, match="valid: none, the game is over"):
        find_ending_actions(random_path(state.game, 0)[-1], 0)
