import pytest

import playout


def value(state):
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance():
        return sum(probability * value(state.child(outcome)) for outcome, probability in state.chance_outcomes())
    return max(value(state.child(action)) for action in state.legal_actions())


def test_the_expected_return_is_14_thirds():
    assert value(playout.load_game("my_dice.ThreeThrows").new_initial_state()) == pytest.approx(14 / 3)


def test_the_search_throws_again_up_to_four():
    start = playout.load_game("my_dice.ThreeThrows").new_initial_state()
    for number, _ in start.chance_outcomes():
        state = start.child(number)
        result = playout.MCTS(start.game, seed=1).run(state, simulations=2000)
        assert state.action_to_string(0, result.action) == ("throw" if number < 5 else "stop")
