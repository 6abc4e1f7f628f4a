"""Contracts of every game: children of a state, its history, joint actions from choices, the state of an open view."""

import copy
import pickle
import random
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import sweep
from support import VARIANTS, random_joint

import mcts

for_every_game = sweep("spec", VARIANTS, 5)
seeds = st.integers(0, 2**32)


def play(state, seed, plies=6):
    """Play random joint actions, at most `plies`, and return them."""
    rng = random.Random(seed)
    played = []
    while len(played) < plies and not state.is_terminal():
        played.append(tuple(random_joint(state, rng)))
        state.apply_actions(played[-1])
    return played


def argument_of_child(state, joint):
    """Return what `child` takes: the action of the one player who decides, else the joint action."""
    player = state.current_player()
    return joint if player == mcts.SIMULTANEOUS else joint[player]


@for_every_game
@given(seeds)
def test_history_has_the_joint_actions(spec, seed):
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    assert state.history() == []
    played = play(state, seed)
    assert state.history() == played
    again = game.new_initial_state()
    for joint in state.history():
        again.apply_actions(joint)
    assert again == state


@for_every_game
@given(seeds)
def test_a_child_is_a_clone_with_one_more_joint_action(spec, seed):
    state = mcts.load_game(spec).new_initial_state()
    assert not state.is_terminal()
    while not state.is_terminal():
        before, history = state.clone(), state.history()
        joint = random_joint(state, random.Random(seed))
        child = state.child(argument_of_child(state, joint))
        assert state == before
        assert state.history() == history
        assert child.history() == [*history, tuple(joint)]
        state.apply_actions(joint)
        assert child == state
        if len(history) > 6:
            break


@for_every_game
def test_copies_keep_the_history_and_grow_apart(spec):
    state = mcts.load_game(spec).new_initial_state()
    played = play(state, 1, plies=2)
    copies = [state.clone(), copy.copy(state), copy.deepcopy(state)]
    more = play(state, 2, plies=1)
    assert state.history() == played + more
    assert [each.history() for each in copies] == [played] * 3


@pytest.mark.parametrize("spec", ["mnk(m=5,n=5,k=4)", "bidding_ttt(coins=3)"])
def test_copies_of_copies_have_their_own_histories(spec):
    game, rng = mcts.load_game(spec), random.Random(3)
    states = [(game.new_initial_state(), [])]
    for _ in range(500):
        number = rng.randrange(len(states))
        state, played = states[number]
        if state.is_terminal() or len(states) > 20:
            del states[number]
            states = states or [(game.new_initial_state(), [])]
            continue
        joint = tuple(random_joint(state, rng))
        if rng.random() < 0.7:
            states.append((state.clone(), [*played, joint]))
            states[-1][0].apply_actions(joint)
        else:
            state.apply_actions(joint)
            states[number] = (state, [*played, joint])
        assert all(state.history() == played for state, played in states)


@for_every_game
def test_history_begins_at_a_state_from_outside(spec):
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    play(state, 3, plies=2)
    others = [game.state_from_dict(state.to_dict()), game.state_from_text(state.to_text())]
    others += [pickle.loads(pickle.dumps(state)), state.transform(0), state.canonical()[0]]
    for other in others:
        assert other.history() == []
        assert other.history() == other.clone().history()
    assert others[0] == state
    assert others[0].key() == state.key()
    played = play(others[0], 4, plies=1)
    assert others[0].history() == played


@for_every_game
def test_a_view_shows_its_state_or_refuses(spec):
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    played = play(state, 5, plies=2)
    for player in range(game.num_players):
        view = state.view(player)
        if game.has_hidden_information:
            with pytest.raises(mcts.UnsupportedGameError, match="does not show the whole state"):
                view.state()
            assert view.resample(1).history() == []
        else:
            found = view.state()
            assert found == state
            assert found.history() == played
            play(found, 6, plies=1)
            assert view.state() == state


@for_every_game
@given(seeds)
def test_joint_actions_from_choices(spec, seed):
    state = mcts.load_game(spec).new_initial_state()
    play(state, seed, plies=seed % 4)
    if state.is_terminal():
        return
    joint = tuple(random_joint(state, random.Random(seed)))
    acting = (mcts.CHANCE,) if state.is_chance() else state.acting_players()
    choices = {player: joint[player] for player in acting}
    assert state.joint_action(choices) == joint
    assert state.joint_action({player: state.action_to_string(player, joint[player]) for player in acting}) == joint
    assert state.joint_action({**dict(enumerate(joint[: state.game.num_players])), **choices}) == joint
    if state.is_chance():
        return
    for player in acting:
        rest = {other: action for other, action in choices.items() if other != player}
        with pytest.raises(mcts.IllegalActionError, match=f"no action of {state.game.players[player]} is given"):
            state.joint_action(rest)
        for wrong in ("gibberish", mcts.NOOP):
            with pytest.raises(mcts.IllegalActionError, match=state.game.players[player]):
                state.joint_action({**choices, player: wrong})
    for player in set(range(state.game.num_players)) - set(acting):
        with pytest.raises(mcts.IllegalActionError, match=f"{state.game.players[player]} has nothing to decide"):
            state.joint_action({**choices, player: 0})


@for_every_game
def test_joint_actions_of_nobody(spec):
    state = mcts.load_game(spec).new_initial_state()
    for wrong in (None, 3, [(0, 1)], "x"):
        with pytest.raises(TypeError, match="valid: a mapping"):
            state.joint_action(wrong)
    for player in (-2, state.game.num_players, *([] if state.game.has_chance else [mcts.CHANCE])):
        with pytest.raises(ValueError, match="is not in"):
            state.joint_action({player: 0})
    play(state, 7, plies=1000)
    with pytest.raises(mcts.IllegalActionError, match="is over"):
        state.joint_action({})
    with pytest.raises(mcts.IllegalActionError, match="is over"):
        state.child(0)


def test_a_child_where_several_decide_takes_a_joint_action():
    state = mcts.load_game("bidding_ttt").new_initial_state()
    joint = state.joint_action({0: "bid(1)", 1: "bid(2)"})
    assert state.child(joint).history() == [joint]
    with pytest.raises(TypeError, match="11 is not a joint action; valid: an action for every player"):
        state.child(joint[0])
    with pytest.raises(TypeError, match="None is not a joint action; valid: an action for every player"):
        state.apply_actions(None)
    with pytest.raises(mcts.IllegalActionError, match="1 actions given"):
        state.child([joint[0]])


def test_other_integers_are_plain_in_the_history():
    class Number:
        def __index__(self):
            return 4

    state = mcts.load_game("mnk").new_initial_state()
    assert state.joint_action({0: Number()}) == (4, mcts.NOOP)
    child = state.child(Number())
    assert [type(action) for action in child.history()[0]] == [int, int]


def test_a_failed_step_leaves_the_history():
    state = mcts.load_game("mnk").new_initial_state().child(4)
    with pytest.raises(mcts.IllegalActionError):
        state.apply_action(4)
    assert state.history() == [(4, mcts.NOOP)]


def test_a_long_history_is_freed_without_recursion():
    class Endless(mcts.PythonGame):
        """Nobody ever wins."""

        name = "endless"
        num_actions = 1

        def initial_state(self):
            return 0

        def acting_players(self, state):
            return state % 2

        def legal_actions(self, state, player):
            return [0]

        def next_state(self, state, joint):
            return state + 1

        def returns(self, state):
            return [0.0, 0.0]

    state = Endless().new_initial_state()
    for _ in range(100_000):
        state.apply_action(0)
    assert len(state.history()) == 100_000
    del state


def test_a_state_that_changes_is_busy():
    state = mcts.load_game("mnk(m=8,n=8,k=5)").new_initial_state()
    stopped = threading.Event()
    unexpected = []

    def read():
        while not stopped.is_set():
            try:
                history = state.history()
                assert len({action for joint in history for action in joint if action != mcts.NOOP}) == len(history)
                state.joint_action({state.current_player(): state.legal_actions()[0]})
                state.child(state.legal_actions()[0])
            except (mcts.errors.BusyError, mcts.IllegalActionError, IndexError, ValueError):
                pass  # the state changed between two calls
            except BaseException as error:
                unexpected.append(error)
                return

    reader = threading.Thread(target=read)
    reader.start()
    while not state.is_terminal():
        try:
            state.apply_action(state.legal_actions()[0])
        except mcts.errors.BusyError:
            continue
    stopped.set()
    reader.join()
    assert unexpected == []
    assert len(state.history()) <= 64
