"""The contract of games: actions, steps and returns. Every registered game is tested."""

import itertools
import random

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from sampling import drawn, sweep
from support import VARIANTS, by_key, games_to_end, random_joint, random_path, states

import mcts
from cext.parameters import Real
from cext.spec import parse_spec

NO_ACTIONS = [None, "mark(1,1)", 1.0, True, [], 2**31, 2**70, -(2**31), -(2**31) - 1]
GARBAGE_TEXTS = [
    "", " ", "mark", "mark(0,1)", "mark(1,99)", "mark(-1,1)", "bid(", "bid(-1)", "noop()", "0", "mark(1,1) x",
]  # fmt: skip

PACKED = [spec for spec in VARIANTS if spec.startswith("bidding_3d_ttt(")]
"""Games whose actions cannot be listed."""
for_every_game = sweep("spec", VARIANTS, 3)


def is_packed_turn(state, player):
    return player in state.acting_players() and not state.game.is_enumerable


@for_every_game
def test_spec_and_info(spec):
    game = mcts.load_game(spec)
    assert mcts.load_game(game.spec) == game
    assert hash(mcts.load_game(game.spec)) == hash(game)
    name = parse_spec(spec)[0]  # the path of the class for a game that is not registered
    assert mcts.load_game(name, **game.parameters) == game
    assert mcts.game_info(name) is mcts.load_game(name).info
    assert game.num_players == len(game.players) == len(set(game.players))
    assert set(game.parameters) == set(game.info.parameters)
    assert game.min_utility < game.max_utility


@for_every_game
def test_games_differ_by_their_parameters(spec):
    others = [mcts.load_game(other) for other in VARIANTS if other != spec]
    game = mcts.load_game(spec)
    assert game not in others
    assert game.new_initial_state() not in [other.new_initial_state() for other in others]


@for_every_game
def test_unknown_parameters_are_refused(spec):
    name = parse_spec(spec)[0]
    with pytest.raises(mcts.ParameterError, match="nonsense"):
        mcts.load_game(name, nonsense=1)
    for parameter, kind in mcts.game_info(name).parameters.items():
        for wrong in ("nonsense", "", None, 1.5, -1, 10**9, [], "1e3"):
            if (wrong is None and kind.default is None) or (isinstance(kind, Real) and wrong in (1.5, -1)):
                continue
            with pytest.raises(mcts.ParameterError, match=parameter):
                mcts.load_game(name, **{parameter: wrong})


@drawn(for_every_game, games_to_end)
def test_play_ends_with_returns_in_range(path):
    game, last = path[0].game, path[-1]
    assert last.is_terminal()
    assert last.acting_players() == ()
    assert last.current_player() == mcts.TERMINAL
    assert len(last.returns()) == game.num_players
    assert all(game.min_utility <= value <= game.max_utility for value in last.returns())
    if game.utility_sum is not None:
        assert sum(last.returns()) == game.utility_sum
    for player in range(game.num_players):
        assert last.legal_actions(player) == []
        assert not last.is_legal(player, mcts.NOOP)
        assert not last.is_legal(player, 0)
        with pytest.raises(mcts.IllegalActionError, match="over"):
            last.sample_action(player, 0)
    with pytest.raises(mcts.IllegalActionError, match="over"):
        last.apply_action(0)
    with pytest.raises(mcts.IllegalActionError, match="over"):
        last.apply_actions([mcts.NOOP] * game.num_players)


@drawn(for_every_game, states)
def test_acting_players_agree_with_the_other_methods(state):
    acting = state.acting_players()
    assert list(acting) == sorted(set(acting))
    assert set(acting) <= set(range(state.game.num_players))
    assert acting == () if state.is_terminal() else acting != () or state.is_chance()
    if state.is_chance():
        check_chance(state)
    if len(acting) == 1:
        assert state.current_player() == acting[0]
    elif acting:
        assert state.current_player() == mcts.SIMULTANEOUS
        with pytest.raises(ValueError, match="several players"):
            state.apply_action(0)
    if acting:
        with pytest.raises(mcts.StateError, match="not over"):
            state.returns()
    for player in set(range(state.game.num_players)) - set(acting):
        if acting:
            assert state.legal_actions(player) == [mcts.NOOP]
            assert state.is_legal(player, mcts.NOOP)
            assert not state.is_legal(player, 0)
            assert state.sample_action(player, 1) == mcts.NOOP
    for nobody in (-2, state.game.num_players):
        with pytest.raises(ValueError, match="valid: 0 to"):
            state.legal_actions(nobody)


def check_chance(state):
    """Where chance decides, no player does, and outcomes ascend, have probabilities, and are all that can happen."""
    game, before = state.game, state.clone()
    outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
    weights = [weight for _, weight in state.chance_weights()]
    assert game.has_chance
    assert state.current_player() == mcts.CHANCE
    assert state.acting_players() == ()
    assert not state.is_terminal()
    assert list(outcomes) == sorted(set(outcomes) & set(range(game.num_outcomes)))
    assert min(weights) >= 1
    assert probabilities == pytest.approx([weight / sum(weights) for weight in weights])
    assert sum(probabilities) == pytest.approx(1.0)
    texts = [state.action_to_string(mcts.CHANCE, outcome) for outcome in outcomes]
    assert len(set(texts)) == len(texts)
    assert [state.string_to_action(mcts.CHANCE, text) for text in texts] == list(outcomes)
    assert {state.sample_outcome(seed) for seed in range(20)} <= set(outcomes)
    assert len(by_key(state.child(outcome) for outcome in outcomes)) == len(outcomes)
    for player in range(game.num_players):
        assert state.legal_actions(player) == [mcts.NOOP]
    for wrong in {*range(-1, game.num_outcomes + 1)} - {*outcomes}:
        with pytest.raises(mcts.IllegalActionError):
            state.apply_action(wrong)
    with pytest.raises(mcts.StateError, match="not over"):
        state.returns()
    assert state == before


@drawn(for_every_game, states)
def test_legal_actions_are_what_is_legal_accepts(state):
    for player in state.acting_players():
        assert not any(state.is_legal(player, wrong) for wrong in [mcts.NOOP, *NO_ACTIONS])
        if is_packed_turn(state, player):
            with pytest.raises(mcts.errors.NotEnumerableError):
                state.legal_actions(player)
            continue
        legal = state.legal_actions(player)
        assert legal
        probes = range(-3, state.game.num_actions + 3)
        assert legal == [action for action in probes if state.is_legal(player, action)]


@drawn(for_every_game, states, st.integers(-(2**70), 2**70))
def test_sampled_actions_are_legal_and_follow_the_seed(state, seed):
    for player in state.acting_players():
        action = state.sample_action(player, seed)
        assert state.is_legal(player, action)
        assert action == state.clone().sample_action(player, seed)


@for_every_game
def test_actions_are_counted_where_they_can_be_listed(spec):
    game = mcts.load_game(spec)
    assert (game.num_actions > 0) is game.is_enumerable is (spec not in PACKED)


@drawn(sweep("spec", PACKED, 2), states, st.integers(0, 2**32))
def test_unlisted_actions_of_a_wrong_shape_are_refused(state, seed):
    assume(state.acting_players())
    for player in state.acting_players():
        action = state.sample_action(player, seed)
        assert isinstance(action, tuple)
        for wrong in (action[:-1], (*action, 0), (256, *action[1:]), (-1, *action[1:]), (255,) * len(action)):
            assert not state.is_legal(player, wrong)
            with pytest.raises(mcts.IllegalActionError):
                state.apply_actions([wrong] * state.game.num_players)


@drawn(for_every_game, states, st.integers(0, 2**32))
def test_action_texts_round_trip(state, seed):
    for player in range(state.game.num_players):
        packed = is_packed_turn(state, player)
        actions = [state.sample_action(player, seed)] if packed else state.legal_actions(player)
        texts = [state.action_to_string(player, action) for action in actions]
        assert [state.string_to_action(player, text) for text in texts] == actions
        assert len(set(texts)) == len(texts)
        assert not any(letter.isspace() for letter in "".join(texts))


@drawn(for_every_game, states, st.text(max_size=12) | st.sampled_from(GARBAGE_TEXTS))
def test_other_texts_are_refused_as_actions(state, text):
    for player in range(state.game.num_players):
        try:
            action = state.string_to_action(player, text)
        except mcts.IllegalActionError:
            continue
        # What a text does name must have a text of its own that names it again.
        again = state.action_to_string(player, action)
        assert state.string_to_action(player, again) == action


@drawn(for_every_game, states, st.integers(0, 2**32), st.sampled_from([*NO_ACTIONS, mcts.NOOP, 10**6]))
def test_an_illegal_action_changes_nothing(state, seed, wrong):
    before = state.clone()
    if not state.is_terminal():
        joint = random_joint(state, random.Random(seed))
        for player in range(state.game.num_players):
            bad = list(joint)
            bad[player] = wrong if player in state.acting_players() else 0
            with pytest.raises(mcts.IllegalActionError):
                state.apply_actions(bad)
        if len(state.acting_players()) == 1:
            with pytest.raises(mcts.IllegalActionError):
                state.apply_action(wrong)
        for count in (0, len(joint) - 1, len(joint) + 1):
            with pytest.raises(mcts.IllegalActionError):
                state.apply_actions((joint * 2)[:count])
    assert state == before
    assert state.to_dict() == before.to_dict()


@drawn(for_every_game, states, st.integers(0, 2**32))
def test_one_players_action_is_a_joint_action(state, seed):
    acting = state.acting_players()
    assume(acting)
    joint = random_joint(state, random.Random(seed))
    alone, together = state.clone(), state.clone()
    together.apply_actions(joint)
    assert together != state
    if len(acting) > 1:
        with pytest.raises(ValueError, match="several players decide"):
            alone.apply_action(joint[acting[0]])
        alone.apply_actions(joint)
    else:
        alone.apply_action(joint[acting[0]])
    assert alone == together


@drawn(sweep("spec", [spec for spec in VARIANTS if spec.startswith("bidding_ttt(")], 2), games_to_end)
def test_the_sum_of_coins_is_constant(path):
    coins = [state.to_dict()["coins"] for state in path]
    assert {sum(each) for each in coins} == {sum(coins[0])}
    assert min(map(min, coins)) >= 0


@drawn(sweep("spec", [spec for spec in VARIANTS if spec.startswith("bidding_3d_ttt(")], 2), games_to_end)
def test_chips_only_decrease(path):
    chips = [state.to_dict()["chips"] for state in path]
    assert chips[0] == [path[0].game.parameters["chips"]] * 2
    for before, after in itertools.pairwise(chips):
        assert all(0 <= now <= then for now, then in zip(after, before, strict=True))


@for_every_game
def test_drawings_tell_states_apart(spec):
    path = random_path(mcts.load_game(spec), 5)
    for before, after in itertools.pairwise(path):
        assert isinstance(str(before), str)
        assert str(before) != str(after)
        assert repr(before) != repr(after)
