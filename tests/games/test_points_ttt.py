"""points_ttt: the worked example of its rules, all its states, and dicts near them."""

import random

import pytest
from cases.points_ttt import BASE, NEARLY
from game_cases import take_step
from hypothesis import given, settings
from hypothesis import strategies as st
from support import by_key, random_path

import mcts

GAME = mcts.load_game("points_ttt")
STATES = 183_596


def followers(state):
    """The states after each legal action of the player to move."""
    for action in state.legal_actions(state.current_player()):
        after = state.clone()
        after.apply_action(action)
        yield after


def test_the_worked_example_of_the_rules_is_reproduced():
    """Both balances after each turn, the next income not yet paid."""
    example = [
        ("mark(2,2)", [-3, 0]), ("mark(2,1)", [-3, 0]), ("pass", [-1, 0]), ("mark(3,1)", [-1, -1]),
        ("mark(1,1)", [-2, -1]), ("mark(3,3)", [-2, -2]), ("pass", [0, -2]), ("pass", [0, 0]), ("mark(3,2)", [0, 0]),
        ("mark(1,2)", [0, 0]), ("pass", [2, 0]), ("mark(2,3)", [2, 0]), ("mark(1,3)", [1, 0]),
    ]  # fmt: skip
    state = GAME.new_initial_state()
    for turn, (text, expected) in enumerate(example):
        assert state.current_player() == turn % 2
        take_step(state, text)
        balances = state.to_dict()["balances"]
        if not state.is_terminal():
            balances[state.current_player()] -= 2
        assert balances == expected, turn
    assert state.is_terminal()
    assert state.to_dict() == {"board": "xoxoxooxo", "balances": [1, 0], "to_move": "x", "passes": 0}
    assert state.returns() == [100, 0]


def test_missing_passes_are_none():
    described = {"board": ".........", "balances": [1, 2], "to_move": "o"}
    assert GAME.state_from_dict(described).to_dict() == {**described, "passes": 0}


def test_a_position_need_not_come_from_play():
    """The highest balances, one of which grows while the other player continues marking."""
    state = GAME.state_from_text(".../.../..._15,15_x_1")
    while not state.is_terminal():
        take_step(state, state.action_to_string(state.current_player(), state.legal_actions(state.current_player())[0]))
    assert sum(state.returns()) == 100
    assert GAME.state_from_text("xxx/xxx/..._-3,15_o_0").returns() == [100, 0]


@pytest.mark.long
def test_all_states_are_counted_and_rebuilt_from_their_dicts():
    """All play, turn by turn: how long it lasts, what it can save up, and that every state is rebuilt from its dict."""
    level = by_key([GAME.new_initial_state()])
    seen, turns = dict(level), 0
    while True:
        level = by_key(after for state in level.values() if not state.is_terminal() for after in followers(state))
        if not level:
            break
        turns += 1
        seen |= level
    assert (turns, len(seen)) == (21, STATES)
    lowest = highest = 0
    for state in seen.values():
        described = state.to_dict()
        lowest, highest = min(lowest, *described["balances"]), max(highest, *described["balances"])
        assert GAME.state_from_dict(described) == state
    assert (lowest, highest) == (-3, 15)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from(sorted(BASE)), st.data())
def test_a_state_with_one_thing_changed_is_a_state_or_refused(seed, key, data):
    rng = random.Random(seed)
    changed = {**rng.choice(random_path(GAME, rng.random())).to_dict(), key: data.draw(NEARLY["points_ttt"])[key]}
    try:
        state = GAME.state_from_dict(changed)
    except mcts.StateError:
        return
    assert state.to_dict() == changed
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions(state.current_player())))
    assert sum(state.returns()) == 100
