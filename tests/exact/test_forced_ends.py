"""Forced wins and losses a few plies ahead, compared with a plain recursion over the states."""

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcts
from cext.exact.forced_ends import forced_ends
from mcts.random_steps import random_game

GAMES = ["mnk(m=3,n=3,k=3)", "mnk(m=4,n=3,k=3)", "dice_ttt", "three_player_nim", "hexapawn", "nim", "kalah"]


AT_ONCE = ["bidding_ttt(coins=3)", "tic_block", "pursuit", "tron", "rock_paper_scissors", "oshi_zumo"]


def is_forced(state, player, wins, plies):
    """Return True if the player is certain to win, or to lose, within some decisions."""
    game = state.game
    if state.is_terminal():
        value = state.returns()[player]
        middle = (game.min_utility + game.max_utility) / 2
        if game.num_players == 2 and game.utility_sum is not None:
            return value > middle if wins else value < middle
        return value == (game.max_utility if wins else game.min_utility)
    if state.is_chance():
        return all(is_forced(after(state, action), player, wins, plies) for action, _ in state.chance_outcomes())
    if plies == 0:
        return False
    acting = state.acting_players()
    forcing = [mover for mover in acting if (mover == player) == wins]
    return any(
        all(is_forced(next_state, player, wins, plies - 1) for next_state in successors(state, forced))
        for forced in joint_actions(state, forcing)
    )


def joint_actions(state, players):
    lists = [state.legal_actions(player) for player in players]
    return [dict(zip(players, actions, strict=True)) for actions in itertools.product(*lists)]


def successors(state, given):
    """Return the states after the actions of some players and all actions of the others."""
    others = [player for player in state.acting_players() if player not in given]
    found = []
    for joint in joint_actions(state, others):
        found.append(state.clone())
        joint |= given
        found[-1].apply_actions([joint.get(player, mcts.NOOP) for player in range(state.game.num_players)])
    return found


def after(state, action):
    state = state.clone()
    state.apply_action(action)
    return state


def expected(state, plies, player=None):
    found = {}
    if player is None:
        (player,) = state.acting_players()
    for depth in range(1, plies + 1):
        for sign in (1, -1):
            for action in state.legal_actions(player):
                states = successors(state, {player: action})
                if action not in found and all(is_forced(one, player, sign == 1, depth - 1) for one in states):
                    found[action] = sign * depth
    return found


def state_after(game, steps, seed):
    """Return the last state in which a player decides of a random game of at most some steps."""
    rng = random.Random(seed)
    state = kept = game.new_initial_state()
    while steps or kept.is_chance():
        steps = max(0, steps - 1)
        state = state.clone()
        if state.is_chance():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions(state.acting_players()[0])))
        if state.is_terminal():
            break
        kept = kept if state.is_chance() else state
    return kept


@pytest.mark.parametrize("spec", GAMES)
@settings(max_examples=15)
@given(steps=st.integers(0, 30), seed=st.integers(0, 2**32))
def test_forced_ends_are_those_of_a_recursion(spec, steps, seed):
    state = state_after(mcts.load_game(spec), steps, seed)
    before = state.to_dict()
    for plies in (1, 2, 3):
        assert forced_ends(state, plies) == expected(state, plies)
    assert state.to_dict() == before


@pytest.mark.parametrize("spec", AT_ONCE)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_an_action_at_once_with_others_forces_what_it_does_against_all_of_theirs(spec, seed):
    game = mcts.load_game(spec)
    states = [state.clone() for state in random_game(game.new_initial_state(), seed)]
    for state in states[-2:]:
        joint = math.prod(len(state.legal_actions(player)) for player in state.acting_players())
        for player in state.acting_players():
            for plies in (1, 2) if joint <= 20 else (1,):
                assert forced_ends(state, plies, player=player) == expected(state, plies, player)


def test_a_double_threat_its_refutations_and_a_loss_by_two_threats():
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    open_three = game.state_from_text("...../.xx../.o.../...../....o_x")
    assert texts_of(open_three, 2) == {}
    assert texts_of(open_three, 3) == {"mark(2,4)": 3}
    lost = game.state_from_text("...../.xxx./.o.../.o.../....._o")
    assert set(texts_of(lost, 2).values()) == {-2}
    assert len(texts_of(lost, 2)) == len(lost.legal_actions(1))
    defended = game.state_from_text("...../oxxx./.o.../...../....._o")
    assert [text for text in all_texts(defended) if text not in texts_of(defended, 2)] == ["mark(2,5)"]


def texts_of(state, plies):
    (player,) = state.acting_players()
    return {state.action_to_string(player, action): end for action, end in forced_ends(state, plies).items()}


def all_texts(state):
    (player,) = state.acting_players()
    return [state.action_to_string(player, action) for action in state.legal_actions(player)]


def test_a_search_that_ends_early_finds_no_wrong_end():
    game = mcts.load_game("connect_four")
    some = 0
    for seed in range(20):
        state = state_after(game, 20, seed)
        whole = forced_ends(state, 4)
        for states in (1, 10, 100, 1000):
            part = forced_ends(state, 4, states)
            assert part.items() <= whole.items()
            some += part != whole
    assert some > 10


class Countdown(mcts.PythonGame):
    """One or two are taken from a heap. Who takes the last wins; a heap of 13 is an error."""

    name = "countdown"
    players = ("first", "second")
    num_actions = 2
    min_utility, max_utility, utility_sum = 0.0, 1.0, 1.0

    def initial_state(self):
        return (7, 0)

    def acting_players(self, state):
        return state[1] if state[0] > 0 else ()

    def legal_actions(self, state, player):
        return [0, 1][: state[0]]

    def next_state(self, state, joint):
        if state[0] == 4:
            raise ZeroDivisionError("the heap of four")
        return (state[0] - 1 - joint[state[1]], 1 - state[1])

    def returns(self, state):
        return [float(state[1] == 1), float(state[1] == 0)]


def test_games_in_python_and_their_errors():
    game = Countdown()
    state = game.new_initial_state()
    assert forced_ends(state, 1) == {}
    with pytest.raises(ZeroDivisionError, match="heap of four"):
        forced_ends(state, 4)
    for action in (1, 0):
        state.apply_action(action)
    with pytest.raises(ZeroDivisionError):
        forced_ends(state, 1)


def test_bad_arguments_are_named():
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    for plies, states in ((0, 1), (17, 1), (1, 0)):
        with pytest.raises(ValueError, match=f"plies={plies}, states={states}"):
            forced_ends(state, plies, states)
    with pytest.raises(mcts.StateError, match="one player decides"):
        forced_ends(mcts.load_game("rock_paper_scissors").new_initial_state(), 1)
    with pytest.raises(TypeError, match="does not list"):
        forced_ends(mcts.load_game("bidding_3d_ttt").new_initial_state(), 1)
    over = state_after(game, 0, 0)
    while not over.is_terminal():
        over.apply_action(over.legal_actions(over.acting_players()[0])[0])
    with pytest.raises(mcts.StateError, match="one player decides"):
        forced_ends(over, 1)
