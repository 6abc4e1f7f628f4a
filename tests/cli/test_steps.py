"""Joint actions as text: whole games are written and read again, and other texts are refused."""

import random

import pytest
from support import random_joint

import mcts
from bots.steps import apply_step, is_in_turns, read_step, step_text
from mcts.registry import native_games

GAMES = native_games()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_written_and_read_as_steps(name):
    state = mcts.load_game(name).new_initial_state()
    told = state.clone()
    rng = random.Random(1)
    while not state.is_terminal():
        joint = random_joint(state, rng)
        text = step_text(state, state.acting_players(), joint)
        assert " " not in text
        assert read_step(told, text) == joint
        state.apply_actions(joint)
        apply_step(told, text)
        assert told == state
    with pytest.raises(mcts.IllegalActionError, match="valid here: none"):
        apply_step(told, text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("mnk", "mark(9,9)"), ("mnk", "mark(1,1)|noop"), ("mnk", ""), ("mnk", "|"), ("bidding_ttt", "bid(1)"),
        ("bidding_ttt", "bid(1)|bid(1)|bid(1)"), ("bidding_ttt", "bid(1)|noop"), ("bidding_ttt", "bid(9)|bid(0)"),
    ],
)  # fmt: skip
def test_other_texts_are_refused_and_change_nothing(game, text):
    state = mcts.load_game(game).new_initial_state()
    with pytest.raises(mcts.IllegalActionError):
        apply_step(state, text)
    assert state == state.game.new_initial_state()


def test_games_in_turns_are_recognised():
    found = {name for name in GAMES if is_in_turns(mcts.load_game(name))}
    hidden = {"dark_mnk", "kuhn_poker", "leduc_poker", "liars_dice", "oh_hell"}
    assert found == {"chess", "go", "mnk", "points_ttt", "dice_ttt", "three_player_ttt", *hidden}
    # Both players have a reset to make, at the same time.
    assert not is_in_turns(mcts.load_game("tic_block(block_phase=alternating)"))
