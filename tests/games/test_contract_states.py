"""The contract of games: copies, equality, dicts of states, and dicts that are refused."""

import copy
import gc
import json
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import drawn, sweep
from support import JSON, LONGEST, VARIANTS, by_key, games_to_end, random_joint, random_path, states

import mcts

for_every_game = sweep("spec", VARIANTS, 3)


@drawn(for_every_game, states, st.integers(0, 2**32))
def test_a_clone_is_independent(state, seed):
    shown, key = state.to_dict(), state.key()
    for twin in (state.clone(), copy.copy(state), copy.deepcopy(state)):
        assert twin == state
        assert twin.key() == key
        if not state.is_terminal():
            twin.apply_actions(random_joint(twin, random.Random(seed)))
            assert twin != state
            assert state.to_dict() == shown
            assert state.key() == key


@drawn(for_every_game, games_to_end, games_to_end, st.randoms(use_true_random=False))
def test_states_are_equal_when_their_dicts_are(one, other, rng):
    for left, right in zip(one, rng.sample(other, len(other)), strict=False):
        same = left.to_dict() == right.to_dict()
        assert (left == right) == (left.key() == right.key()) == same
    assert len({json.dumps(state.to_dict()) for state in one}) == len(one) == len(by_key(one))
    assert one[0] != "a state"


@for_every_game
def test_hashes_of_states_rarely_collide(spec):
    game = mcts.load_game(spec)
    seen = {state.key() for seed in range(60) for state in random_path(game, seed)}
    assert len({number for number, _ in seen}) == len(seen)


def test_a_key_stays_when_its_state_changes():
    state = mcts.load_game("mnk").new_initial_state()
    key, number = state.key(), hash(state)
    assert key == mcts.load_game("mnk").new_initial_state().key()
    assert number == hash(state.clone())
    state.apply_action(4)
    assert key != state.key()
    assert number != hash(state)


@drawn(for_every_game, states)
def test_dicts_round_trip_through_json(state):
    shown = state.to_dict()
    again = state.game.state_from_dict(json.loads(json.dumps(shown)))
    assert again == state
    assert again.key() == state.key()
    assert again.to_dict() == shown
    assert again.acting_players() == state.acting_players()
    assert str(again) == str(state)


@drawn(for_every_game, states)
def test_pickles_round_trip(state):
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(state.game)) == state.game
    for player in range(state.game.num_players):
        view = state.view(player)
        again = pickle.loads(pickle.dumps(view))
        assert again == view
        assert again.to_dict() == view.to_dict()


@for_every_game
def test_states_in_a_cycle_are_collected(spec):
    for _ in range(50):
        cycle = [mcts.load_game(spec).new_initial_state()]
        cycle += [cycle, cycle[0].view(0), cycle[0].clone()]
    del cycle
    assert gc.collect() > 0
    assert not mcts.load_game(spec).new_initial_state().is_terminal()


@for_every_game
def test_states_and_views_have_no_public_constructor(spec):
    state = mcts.load_game(spec).new_initial_state()
    for kind in (mcts.State, mcts.View):
        with pytest.raises(TypeError, match="come from"):
            kind()
    restore, (game, data) = state.__reduce__()
    assert restore(game, data) == state
    for junk, what in ((bytes(64), "dict"), ({**data, "more": 1}, "more")):
        with pytest.raises(mcts.StateError, match=what):
            restore(game, junk)


def check_refused_or_sound(game, given_dict):
    """A dict is refused by StateError, or it is a state that can be shown, read again and played to its end."""
    try:
        state = game.state_from_dict(given_dict)
    except mcts.StateError:
        return
    again = game.state_from_dict(json.loads(json.dumps(state.to_dict())))
    assert again == state
    assert again.to_dict() == state.to_dict()
    str(state)
    for player in range(game.num_players):
        assert state.view(player).resample(1).view(player) == state.view(player)
    rng = random.Random(0)
    for _ in range(LONGEST):
        if state.is_terminal():
            break
        state.apply_actions(random_joint(state, rng))
    assert state.is_terminal()
    assert all(game.min_utility <= value <= game.max_utility for value in state.returns())


def places_of(value, above=()):
    """The path of every value inside nested lists and dicts."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*above, key)
        yield from places_of(inner, (*above, key))


@st.composite
def changed(draw, value, donor):
    """Strategy: something near a value of a state's dict; `donor` is the same place in another state."""
    if isinstance(value, str) and value and draw(st.booleans()):
        place = draw(st.integers(0, len(value) - 1))
        return value[:place] + draw(st.sampled_from(sorted(set(value) | set(".xozrb ")))) + value[place + 1 :]
    if isinstance(value, int) and not isinstance(value, bool) and draw(st.booleans()):
        return value + draw(st.sampled_from([-1, 1, -2, 2, 100, 2**31, 2**63, -(2**64)]))
    return draw(st.just(donor) | JSON)


@st.composite
def near_dicts(draw, spec):
    """Strategy: the dict of a reachable state with one to three places changed, removed or added."""
    path = draw(games_to_end(spec))
    one, other = (json.loads(json.dumps(draw(st.sampled_from(path)).to_dict())) for _ in range(2))
    for _ in range(draw(st.integers(1, 3))):
        places = list(places_of(one))
        if not places:
            break
        *above, key = draw(st.sampled_from(places))
        inside, donor = one, other
        for step in above:
            inside = inside[step]
            try:
                donor = donor[step]
            except (KeyError, IndexError, TypeError):
                donor = None
        try:
            donor = donor[key]
        except (KeyError, IndexError, TypeError):
            donor = None
        if draw(st.integers(0, 5)) == 0:
            del inside[key]
        else:
            inside[key] = draw(changed(inside[key], donor))
    if draw(st.integers(0, 9)) == 0:
        one[draw(st.text(max_size=5))] = draw(JSON)
    return one


@for_every_game
def test_dicts_near_a_state_are_refused_or_sound(spec):
    game = mcts.load_game(spec)

    @given(near_dicts(spec))
    def check(near):
        check_refused_or_sound(game, near)

    check()


@for_every_game
def test_junk_is_refused(spec):
    game = mcts.load_game(spec)
    keys = sorted(game.new_initial_state().to_dict())

    @given(JSON | st.dictionaries(st.sampled_from(keys), JSON))
    def check(junk):
        check_refused_or_sound(game, junk)

    check()
    for junk in (None, [], "x", 3, {}, dict.fromkeys(keys)):
        with pytest.raises(mcts.StateError):
            game.state_from_dict(junk)


@for_every_game
def test_every_missing_or_foreign_key_is_noticed(spec):
    path = random_path(mcts.load_game(spec), 3)
    for state in path:
        with pytest.raises(mcts.StateError, match="foreign"):
            state.game.state_from_dict({**state.to_dict(), "foreign": 1})
