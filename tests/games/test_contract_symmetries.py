"""The contract of games: symmetries change nothing about play, and each orbit has one canonical state."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesheets import path_of
from sampling import drawn, sweep
from support import VARIANTS, by_key, random_joint, states

import mcts

SHEETS = [str(path_of(name)) for name in ("tic_tac_toe", "connect_four")]
SYMMETRIC = {
    spec: game.num_symmetries for spec in [*VARIANTS, *SHEETS] if (game := mcts.load_game(spec)).num_symmetries > 1
}
# What is known of the boards of the built-in games.
KNOWN = {
    "bidding_ttt(coins=3)": 8,
    "points_ttt": 8,
    "dice_ttt": 2,
    "mnk(m=5,n=5,k=4)": 8,
    "mnk(m=8,n=8,k=5)": 8,
    "mnk(m=7,n=2,k=2)": 4,
    "mnk(m=3,n=16,k=9)": 4,
    "tic_block(block_phase=simultaneous)": 32,
    "three_player_ttt(torus=false)": 8,
    "three_player_ttt(torus=true)": 200,
}

for_every_game = sweep("spec", VARIANTS, 3)
for_every_symmetric_game = sweep("spec", SYMMETRIC, 3)


def some_symmetry(spec):
    return st.integers(0, SYMMETRIC[spec] - 1)


@pytest.mark.parametrize("spec", KNOWN)
def test_the_number_of_symmetries_is_known(spec):
    assert mcts.load_game(spec).num_symmetries == KNOWN[spec]


@drawn(for_every_game, states)
def test_the_first_symmetry_is_the_identity(state):
    assert state.transform(0) == state
    for player in state.acting_players():
        action = state.sample_action(player, 1)
        assert state.game.transform_action(0, player, action) == action


@for_every_game
def test_symmetries_and_players_out_of_range_are_refused(spec):
    state = mcts.load_game(spec).new_initial_state()
    for wrong in (-1, state.game.num_symmetries):
        with pytest.raises(ValueError, match=f"symmetry {wrong} .*valid: 0 to"):
            state.transform(wrong)
        with pytest.raises(ValueError, match=f"symmetry {wrong} .*valid: 0 to"):
            state.game.transform_action(wrong, 0, mcts.NOOP)
    for wrong in (-1, state.game.num_players):
        with pytest.raises(ValueError, match=f"player {wrong} .*valid: 0 to"):
            state.game.transform_action(0, wrong, mcts.NOOP)


@drawn(for_every_symmetric_game, states, some_symmetry, st.integers(0, 2**32))
def test_transforming_commutes_with_play(state, symmetry, seed):
    game, image = state.game, state.transform(symmetry)
    assert image.acting_players() == state.acting_players()
    if state.is_terminal():
        assert image.returns() == state.returns()
        return
    for player in range(game.num_players):
        mapped = [game.transform_action(symmetry, player, action) for action in state.legal_actions(player)]
        assert sorted(mapped) == image.legal_actions(player)
    if state.is_chance():
        assert image.chance_weights() == state.chance_weights()
    joint = random_joint(state, random.Random(seed))
    seats = range(game.num_players)  # an outcome of chance, behind the actions, is its own image
    mapped = [game.transform_action(symmetry, player, joint[player]) for player in seats]
    image.apply_actions([*mapped, *joint[game.num_players :]])
    state.apply_actions(joint)
    assert image == state.transform(symmetry)


@drawn(for_every_symmetric_game, states, some_symmetry)
def test_transformed_states_are_states_of_the_game(state, symmetry):
    image = state.transform(symmetry)
    assert state.game.state_from_dict(image.to_dict()) == image


@for_every_symmetric_game
def test_symmetries_form_a_group(spec):
    """Two after each other are a third, the same for states and actions; so each also has one that undoes it."""
    game = mcts.load_game(spec)
    everything = range(game.num_symmetries)
    actions = [(player, action) for player in range(game.num_players) for action in range(game.num_actions)]

    def effect(*symmetries):
        found = []
        for player, action in actions:
            for symmetry in symmetries:
                action = game.transform_action(symmetry, player, action)
            found.append(action)
        return tuple(found)

    of_effect = {}
    for symmetry in everything:
        of_effect.setdefault(effect(symmetry), symmetry)
        assert sorted(effect(symmetry)) == sorted(effect(0))

    @settings(max_examples=50)
    @given(states(spec), some_symmetry(spec), some_symmetry(spec))
    def check(state, first, second):
        both = of_effect[effect(first, second)]
        assert state.transform(first).transform(second) == state.transform(both)

    check()


@drawn(for_every_symmetric_game, states, some_symmetry)
def test_the_canonical_state_is_the_same_for_a_whole_orbit(state, symmetry):
    canonical, made_by = state.canonical()
    assert state.transform(made_by) == canonical
    assert state.transform(symmetry).canonical()[0] == canonical
    assert canonical.canonical()[0] == canonical


@for_every_symmetric_game
def test_states_of_different_orbits_have_different_canonical_states(spec):
    """Among the states of a random game, those that have one canonical image are images of each other."""

    @settings(max_examples=15)
    @given(st.lists(states(spec), min_size=2, max_size=4))
    def check(some):
        for first in some:
            images = by_key(first.transform(symmetry) for symmetry in range(SYMMETRIC[spec]))
            for second in some:
                assert (second.key() in images) == (first.canonical()[0] == second.canonical()[0])

    check()


@sweep("spec", sorted(set(VARIANTS) - set(SYMMETRIC)), 3)
def test_without_symmetries_every_state_is_canonical(spec):
    @given(states(spec))
    def check(state):
        assert state.canonical() == (state, 0)

    check()
