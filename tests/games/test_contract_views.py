"""The contract of games: a view has everything that its player may see, and nothing else."""

import json
import pickle
from collections import Counter
from contextlib import suppress
from itertools import permutations

import pytest
from game_cases import position
from hypothesis import strategies as st
from sampling import drawn, sweep
from support import VARIANTS, games_to_end, random_path, states

import mcts

for_every_game = sweep("spec", VARIANTS, 3)


@drawn(for_every_game, states, st.integers(0, 2**32))
def test_a_view_agrees_with_its_state(state, seed):
    for player in range(state.game.num_players):
        view = state.view(player)
        assert view.player == player
        assert view.game == state.game
        assert view.acting_players() == state.acting_players()
        assert view.is_terminal() == state.is_terminal()
        if state.is_terminal():
            continue
        if state.game.is_enumerable or player not in state.acting_players():
            assert view.legal_actions() == state.legal_actions(player)
        action = view.sample_action(seed)
        assert action == state.sample_action(player, seed)
        assert view.is_legal(action)
        text = view.action_to_string(action)
        assert text == state.action_to_string(player, action)
        assert view.string_to_action(text) == action


@drawn(for_every_game, states, st.integers(-(2**70), 2**70))
def test_a_resampled_state_looks_the_same_to_the_player(state, seed):
    for player in range(state.game.num_players):
        view = state.view(player)
        possible = view.resample(seed)
        assert possible == view.resample(seed)
        same = possible.view(player)
        assert same == view
        assert hash(same) == hash(view)
        assert same.information_state_string() == view.information_state_string()
        assert same.to_dict() == view.to_dict()
        assert str(same) == str(view)
        # Not a byte of what the player must not see is inside.
        assert pickle.dumps(same) == pickle.dumps(view)
        # What was made up is a whole state, which the game itself would accept.
        assert state.game.state_from_dict(possible.to_dict()) == possible
        assert possible.acting_players() == state.acting_players()
        if not state.game.has_hidden_information:
            assert possible == state


@pytest.mark.parametrize(
    ("spec", "steps", "is_shown"),
    [
        ("leduc_poker", ["deal(K)", "deal(j)", "call", "call", "deal(Q)", "call", "call"], True),
        ("leduc_poker", ["deal(K)", "deal(j)", "call", "call", "deal(Q)", "raise", "fold"], False),
        ("leduc_poker", ["deal(K)", "deal(j)", "raise", "fold"], False),
        ("kuhn_poker", ["deal(K)", "deal(J)", "pass", "pass"], True),
        ("kuhn_poker", ["deal(K)", "deal(J)", "bet", "pass"], False),
    ],
)
def test_cards_are_shown_at_the_end_unless_somebody_has_folded(spec, steps, is_shown):
    state = position(spec, None, steps)
    assert state.is_terminal()
    whole = state.to_dict()["cards"]
    for player in range(2):
        hidden = whole.copy()
        hidden[1 - player] = None
        assert state.view(player).to_dict()["cards"] == (whole if is_shown else hidden)


@drawn(for_every_game, states)
def test_a_view_is_rebuilt_from_its_dict(state):
    for player in range(state.game.num_players):
        view = state.view(player)
        plain = json.loads(json.dumps(view.to_dict()))
        rebuilt = state.game.view_from_dict(player, plain)
        assert rebuilt == view
        assert pickle.dumps(rebuilt) == pickle.dumps(view)
        assert plain == view.to_dict()


@for_every_game
def test_dicts_that_are_not_views_are_refused(spec):
    game = mcts.load_game(spec)
    path = [each for each in random_path(game, 3) if not each.is_terminal()]
    secret = [each for each in path if each.view(0).to_dict() not in (each.to_dict(), each.view(1).to_dict())]
    state = (secret or path)[-1]
    with pytest.raises(ValueError, match="valid: 0 to"):
        game.view_from_dict(game.num_players, state.view(0).to_dict())
    for junk in (None, [], {}, {"board": "?"}, {"chips": [None, 1], "history": 3}, {"chips": 1}):
        with pytest.raises(mcts.StateError):
            game.view_from_dict(0, junk)
    if game.has_hidden_information:
        for other in (state.to_dict(), state.view(1).to_dict()):
            with pytest.raises(mcts.StateError, match="not a view of player 1"):
                game.view_from_dict(0, other)
    if game.name == "bidding_3d_ttt":
        seen = state.view(0).to_dict()
        seen["history"][0]["bids"][0] = [255] * 81
        with pytest.raises(mcts.StateError):
            game.view_from_dict(0, seen)
        seen["tiles"] = (number for number in ())  # which cannot be copied
        with pytest.raises(mcts.StateError, match="a value that is not plain"):
            game.view_from_dict(0, seen)


@for_every_game
def test_resampling_varies_what_is_hidden(spec):
    game = mcts.load_game(spec)
    differing = set()
    for seed in range(20):
        for state in random_path(game, seed):
            for player in range(game.num_players):
                if any(state.view(player).resample(sample) != state for sample in range(4)):
                    differing.add(player)
    has_secrets = game.has_hidden_information and game.parameters.get("chips") != 0
    assert differing == (set(range(game.num_players)) if has_secrets else set())


@pytest.mark.parametrize("spec", ["dark_mnk(m=2,n=2,k=2)", "dark_mnk(m=2,n=2,k=2,retry=false)"])
def test_resampling_finds_all_states_that_look_the_same(spec):
    found, waiting = {}, [mcts.load_game(spec).new_initial_state()]
    while waiting:
        state = waiting.pop()
        for player in range(2):
            found.setdefault(state.view(player), set()).add(state.to_text())
        for action in [] if state.is_terminal() else state.legal_actions():
            waiting.append(state.clone())
            waiting[-1].apply_action(action)
    for view, texts in found.items():
        assert {view.resample(seed).to_text() for seed in range(40 * len(texts))} == texts


def test_hands_that_fit_the_plays_are_drawn_evenly():
    """Three players have each shown that they lack a suit."""
    game = mcts.load_game("oh_hell(players=4,ranks=4,tricks=3)")
    view = game.view_from_text(0, "Kh,?,?,?_Ac_0332_Ah,Jh,Js,Kc,Jc,Qh,Qd")
    seen = view.to_dict()
    known = {*seen["hands"][0], *seen["plays"], seen["trump"]}
    free = [rank + suit for suit in "cdhs" for rank in "JQKA" if rank + suit not in known]
    possible = set()
    for *single, one, other in permutations(free, 4):
        for hands in ([[one, other], *([card] for card in single)], [[single[0]], [one, other], [single[1]]],
                      [[single[0]], [single[1]], [one, other]]):  # fmt: skip
            with suppress(mcts.StateError):
                possible.add(game.state_from_dict({**seen, "hands": [seen["hands"][0], *map(sorted, hands)]}).key())
    counts = Counter(view.resample(seed).key() for seed in range(40 * len(possible)))
    assert counts.keys() == possible
    assert len(possible) == 360
    deviation = sum((count - 40) ** 2 / 40 for count in counts.values())  # chi-squared with 359 degrees of freedom
    assert abs(deviation - 359) < 4 * (2 * 359) ** 0.5


@drawn(for_every_game, games_to_end, games_to_end)
def test_different_views_have_different_texts(one, other):
    for player in range(one[0].game.num_players):
        views = [state.view(player) for state in one + other]
        texts = {view.information_state_string() for view in views}
        assert len(texts) == len(set(views)) == len({str(view.to_dict()) for view in views})
        assert len(set(map(hash, views))) == len(set(views))


@for_every_game
def test_views_of_different_players_differ(spec):
    state = mcts.load_game(spec).new_initial_state()
    views = [state.view(player) for player in range(state.game.num_players)]
    assert len(set(views)) == len({view.information_state_string() for view in views}) == len(views)
    assert views[0] != state
    for nobody in (-1, state.game.num_players):
        with pytest.raises(ValueError, match="valid: 0 to"):
            state.view(nobody)
