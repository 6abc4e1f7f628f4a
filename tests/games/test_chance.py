"""Games in which chance decides: what a state says and accepts, random play, and games written in Python."""

import collections
import copy
import math
import pickle

import numpy as np
import pytest
from chance_games import Dice, Race, ThreeDice, Weather

import mcts
from mcts import CHANCE, NOOP

GAMES = [Dice(), ThreeDice(), Race(), Weather()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def expectation(state):
    """Return the expected returns of random play, by complete enumeration."""
    if state.is_terminal():
        return np.array(state.returns())
    if state.is_chance():
        return sum(p * expectation(state.child(outcome)) for outcome, p in state.chance_outcomes())
    joints = [[]]
    for player in range(state.game.num_players):
        joints = [[*joint, action] for joint in joints for action in state.legal_actions(player)]
    after = [state.clone() for _ in joints]
    for child, joint in zip(after, joints, strict=True):
        child.apply_actions(joint)
    return sum(map(expectation, after)) / len(joints)


def throwing():
    """Return a state of Race in which the first player has decided to throw."""
    state = Race().new_initial_state()
    state.apply_action(1)
    state.apply_action(1)
    return state


def test_a_state_in_which_chance_decides():
    state = throwing()
    assert state.is_chance()
    assert not state.is_terminal()
    assert state.current_player() == CHANCE == -1
    assert state.acting_players() == ()
    assert state.chance_weights() == [(0, 3), (3, 2), (5, 1)]
    assert state.chance_outcomes() == [(0, 1 / 2), (3, 1 / 3), (5, 1 / 6)]
    assert [state.legal_actions(player) for player in range(2)] == [[NOOP], [NOOP]]
    assert state.is_legal(0, NOOP)
    assert not state.is_legal(0, 1)
    assert state.sample_action(0, 1) == NOOP
    assert state.game.has_chance
    assert state.game.num_outcomes == 6
    assert state.action_to_string(CHANCE, 5) == "points(5)"
    assert state.string_to_action(CHANCE, "points(5)") == 5
    assert state.joint_action({CHANCE: "points(5)"}) == (NOOP, NOOP, 5)
    assert state.view(1).is_chance()
    assert state.child(3).to_dict() == {"state": "((3, 1), 1, False)"}


def test_histories_with_outcomes_replay():
    state = throwing()
    before = state.clone()
    state.apply_action(5)
    state.apply_action(0)
    assert state.history() == [(NOOP, NOOP, 1), (1, NOOP), (NOOP, NOOP, 5), (NOOP, 0)]
    for joint in state.history()[2:]:
        before.apply_actions(joint)
    assert before == state
    assert before.history() == copy.copy(state).history() == state.history()
    assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.sample(1)
@every_game
def test_random_play_has_the_expected_returns(game):
    state = game.new_initial_state()
    exact = expectation(state)
    found = mcts.playouts(state, 40_000, seed=1)
    assert np.abs(np.subtract(found, exact)).max() < 0.012  # four standard errors of returns in [0, 1], and a little
    assert mcts.playouts(state, 4_000, seed=7, threads=2) == mcts.playouts(state, 4_000, seed=7)


@every_game
def test_the_fused_playout_draws_as_the_table(game):
    from cext.game.playouts import play_chunks

    state = game.new_initial_state()
    for seed in range(3):
        plain = play_chunks(state, seed, 500, 0, 1, False, by="table")
        assert plain == play_chunks(state, seed, 500, 0, 1, False, by="playout")


def test_outcomes_are_drawn_by_their_weights():
    state = throwing()
    count = 6_000
    drawn = collections.Counter(state.sample_outcome(seed) for seed in range(count))
    assert drawn.keys() == {0, 3, 5}
    for outcome, probability in state.chance_outcomes():
        error = math.sqrt(count * probability * (1 - probability))
        assert abs(drawn[outcome] - count * probability) < 4 * error
    assert state.sample_outcome(8) == state.sample_outcome(8)


def test_weights_may_be_large():
    class Rare(Race):
        THROW = {0: 2**31 - 2, 5: 1}  # noqa: RUF012

    state = Rare().new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    assert state.chance_outcomes() == [(0, (2**31 - 2) / (2**31 - 1)), (5, 1 / (2**31 - 1))]
    assert {state.sample_outcome(seed) for seed in range(200)} == {0}


def test_wrong_outcomes_are_refused():
    state = throwing()
    before = state.clone()
    with pytest.raises(mcts.IllegalActionError, match=r"outcome 1 cannot happen .*valid: 0 points\(0\), 3 points\(3\)"):
        state.apply_action(1)
    for wrong in (-1, 6, 2**31 - 1):
        with pytest.raises(mcts.IllegalActionError, match="cannot happen"):
            state.apply_action(wrong)
    for wrong in (None, "points(5)", 1.0, True, 2**40):
        with pytest.raises(mcts.IllegalActionError, match="the outcome"):
            state.apply_action(wrong)
    for wrong in ([], [NOOP, NOOP], [NOOP, NOOP, 3, 3]):
        with pytest.raises(mcts.IllegalActionError, match="actions given where chance decides; valid: 3"):
            state.apply_actions(wrong)
    with pytest.raises(mcts.IllegalActionError, match="first has nothing to decide"):
        state.apply_actions([0, NOOP, 3])
    for wrong in ({}, {0: NOOP}):
        with pytest.raises(mcts.IllegalActionError, match="no outcome is given where chance decides"):
            state.joint_action(wrong)
    for wrong in (6, -2):
        with pytest.raises(mcts.IllegalActionError, match=r"not an outcome of race.*valid: 0 to 5"):
            state.action_to_string(CHANCE, wrong)
    with pytest.raises(mcts.IllegalActionError, match="not a legal action"):
        state.string_to_action(CHANCE, "safe")
    with pytest.raises(ValueError, match="chance decides here, and no player"):
        state.legal_actions()
    with pytest.raises(mcts.StateError, match="not over"):
        state.returns()
    assert state == before
    assert state.history() == before.history()


def test_where_players_decide_there_are_no_outcomes():
    state = throwing()
    state.apply_action(3)
    for call in (state.chance_outcomes, state.chance_weights, lambda: state.sample_outcome(1)):
        with pytest.raises(mcts.StateError, match=r"chance does not decide .*is_chance\(\)"):
            call()
    with pytest.raises(mcts.IllegalActionError, match="3 actions given"):
        state.apply_actions([NOOP, 0, NOOP])
    with pytest.raises(ValueError, match="player -1 is not in race"):
        state.joint_action({CHANCE: 3})
    other = mcts.load_game("mnk").new_initial_state()
    assert (other.game.has_chance, other.game.num_outcomes, other.is_chance()) == (False, 0, False)
    with pytest.raises(ValueError, match="player -1 is not in mnk"):
        other.action_to_string(CHANCE, 0)
    with pytest.raises(mcts.StateError, match="chance does not decide"):
        other.chance_outcomes()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, r"chance_outcomes of race is \{\}; valid: a dict of outcome -> weight, at least one"),
        (None, "is None; valid: a dict"),
        ([0, 1], r"is \[0, 1\]; valid: a dict"),
        ({6: 1}, "has the outcome 6; valid: 0 to 5"),
        ({-1: 1}, "has the outcome -1"),
        ({"a": 1}, "has the outcome 'a'"),
        ({True: 1}, "has the outcome True"),
        ({0: 0}, "gives outcome 0 the weight 0; valid: whole numbers from 1"),
        ({0: 0.5}, r"the weight 0\.5"),
        ({0: -1}, "the weight -1"),
        ({0: 2**31}, "a sum up to 2147483647"),
        ({0: 2**31 - 1, 1: 1}, "gives outcome 1 the weight 1"),
    ],
)
def test_wrong_outcomes_of_a_game_in_python(wrong, message):
    class Wrong(Race):
        THROW = wrong

    state = Wrong().new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    searched = Wrong().new_initial_state().child(0)
    for call in (
        state.chance_outcomes,
        lambda: state.sample_outcome(1),
        lambda: state.apply_action(0),
        lambda: mcts.playouts(state, 10),
        lambda: mcts.MCTS.plain(searched.game).run(searched, simulations=50),
        lambda: mcts.MCTS.plain(searched.game, solver=True, selection="grave").run(searched, simulations=50),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_a_mapping_that_changes_while_it_is_read():
    class Growing(dict):
        def items(self):
            self.update(dict.fromkeys(range(1000), 1))
            return super().items()

    class Wrong(Race):
        THROW = Growing({0: 1})

    state = Wrong().new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    assert state.chance_weights() == [(0, 1)]


@pytest.mark.parametrize("wrong", [-1, 65537, 1.5, None, "6"])
def test_wrong_numbers_of_outcomes(wrong):
    with pytest.raises(mcts.ParameterError, match=r"num_outcomes is .*valid: 0 to 65536"):
        type("Wrong", (Race,), {"num_outcomes": wrong})()


def test_a_game_without_outcomes_has_no_chance():
    class Wrong(Race):
        num_outcomes = 0

    with pytest.raises(ValueError, match="names player -1; valid: 0 to 1, and CHANCE"):
        Wrong().new_initial_state().acting_players()


def test_chance_decides_alone():
    class Wrong(Race):
        def acting_players(self, state):
            return (0, mcts.CHANCE)

    with pytest.raises(ValueError, match="names player -1; valid: 0 to 1, and CHANCE"):
        Wrong().new_initial_state().acting_players()


def test_a_game_must_define_its_outcomes():
    class Wrong(Race):
        chance_outcomes = mcts.PythonGame.chance_outcomes

    with pytest.raises(NotImplementedError, match="Wrong must define chance_outcomes"):
        Wrong().new_initial_state().chance_outcomes()
