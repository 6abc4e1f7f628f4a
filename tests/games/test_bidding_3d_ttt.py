"""bidding_3d_ttt: what views hide, states that fit a view, and random bids."""

from itertools import pairwise

import pytest
from cases.bidding_3d_ttt import GAME, PASS, RECAPTURE
from game_cases import position
from hypothesis import given, settings
from hypothesis import strategies as st
from support import random_path

import mcts
from cext.game.playouts import play_chunks


def load(chips=80, recapture=False):
    return mcts.load_game("bidding_3d_ttt", chips=chips, recapture=recapture)


games = st.builds(load, st.sampled_from([0, 1, 2, 12, 80, 255]), st.booleans())
seeds = st.integers(0, 2**64 - 1)


def test_the_text_of_a_bid_names_tiles_and_chips_in_any_order():
    state = position(GAME, None)
    action = state.string_to_action(0, "bid(E5:2,A1:3)")
    assert (action[0], action[40], sum(action), len(action)) == (3, 2, 5, 81)
    assert state.action_to_string(0, action) == "bid(A1:3,E5:2)"
    assert state.action_to_string(0, (0,) * 81) == "bid()"


# What is hidden


def test_states_that_differ_in_hidden_things_only_look_the_same():
    one = position(GAME, None, ["bid(A1:3,B2:5) bid(C1:2,B2:1)", "bid(A5:4) bid(A6:1)"])
    two = position(GAME, None, ["bid(A1:3,B2:5) bid(C1:9)", "bid(A5:4) bid(A5:3,A6:8)"])
    assert one != two
    mine, same = one.view(0), two.view(0)
    assert mine == same
    assert hash(mine) == hash(same)
    assert mine.information_state_string() == same.information_state_string()
    assert mine.to_dict() == same.to_dict()
    assert str(mine) == str(same)
    assert mine.resample(5) == same.resample(5)
    assert mine.sample_action(5) == same.sample_action(5)
    assert one.view(1) != two.view(1)
    seen = mine.to_dict()
    assert seen["chips"] == [68, None]
    assert [finished["bids"][1] for finished in seen["history"]] == [None, None]
    assert sum(seen["history"][0]["bids"][0]) == 8


@given(games, seeds)
@settings(max_examples=60, deadline=None)
def test_resample_gives_a_legal_state_that_looks_the_same(game, seed):
    for state in random_path(game, seed):
        for player in (0, 1):
            view = state.view(player)
            guess = view.resample(seed)
            assert guess.view(player) == view
            assert hash(guess.view(player)) == hash(view)
            assert guess.view(player).information_state_string() == view.information_state_string()
            # rebuilding plays every bid again and checks that it was legal and led to what is public
            assert game.state_from_dict(guess.to_dict()) == guess
            assert guess.acting_players() == state.acting_players()


def test_resampling_respects_what_outcomes_reveal():
    view = position(GAME, None, ["bid(A1:3,B1:2,C1:5) bid(A1:3,B1:4,C1:1,E1:1)"]).view(0)
    guesses = [view.resample(seed).to_dict()["history"][0]["bids"][1] for seed in range(300)]
    tied, lost, won, unopposed, untouched = 0, 9, 18, 36, 37
    assert {guess[tied] for guess in guesses} == {3}
    assert {guess[untouched] for guess in guesses} == {0}
    assert min(guess[lost] for guess in guesses) == 3
    assert min(guess[unopposed] for guess in guesses) == 1
    assert {guess[won] for guess in guesses} == {0, 1, 2, 3, 4}
    assert len({sum(guess) for guess in guesses}) > 20
    assert max(sum(guess) for guess in guesses) > 60


def test_resampling_respects_retaken_tiles():
    first = "bid(A1:2,A2:2) bid(B1:3)"
    view = position(RECAPTURE, None, [first, "bid(A1:4,B1:2) bid(A1:4,A2:5,B1:2)"]).view(0)
    guesses = [view.resample(seed).to_dict()["history"][1]["bids"][1] for seed in range(300)]
    assert {guess[0] for guess in guesses} == {0, 1, 2, 3, 4}  # kept: an equal bid is possible
    assert min(guess[1] for guess in guesses) == 1  # lost without a bid
    assert min(guess[9] for guess in guesses) == 2  # the opponent kept its own: an equal bid is enough


# Random bids


@given(games, seeds)
@settings(max_examples=60, deadline=None)
def test_random_bids_are_legal_and_chips_are_conserved(game, seed):
    states = random_path(game, seed)
    for before, after in pairwise(states):
        bids = after.to_dict()["history"][-1]["bids"]
        for player in (0, 1):
            assert before.is_legal(player, bids[player])
            assert after.to_dict()["chips"][player] == before.to_dict()["chips"][player] - sum(bids[player])
        assert before.key() != after.key() == after.clone().key()
    assert sum(states[-1].returns()) == 100


def test_random_bids_vary_in_tiles_and_chips():
    state = position(GAME, None)
    bids = [state.sample_action(0, seed) for seed in range(2000)]
    assert (0,) * 81 in bids
    assert max(sum(bid) for bid in bids) > 70
    assert {sum(count > 0 for count in bid) for bid in bids} >= set(range(12))
    last = position(GAME, None, [PASS, PASS])
    spent = [sum(last.sample_action(0, seed)) for seed in range(400)]
    assert 300 < spent.count(80) < 400


def test_random_bids_of_few_chips_take_tiles_back():
    state = position("bidding_3d_ttt(chips=2,recapture=true)", None, ["bid() bid(C9:1,G1:1)"])
    bids = [state.sample_action(0, seed) for seed in range(1000)]
    takes = sum(bool(bid[26] or bid[54]) for bid in bids)
    assert 0.6 < takes / sum(any(bid) for bid in bids) < 0.95
    theirs = [state.sample_action(1, seed) for seed in range(1000)]
    assert not any(map(any, theirs))  # blue has spent its chips


@pytest.mark.parametrize("recapture", [False, True])
@pytest.mark.parametrize("chips", [0, 1, 12, 80, 255])
def test_fused_playouts_equal_those_by_the_table_at_every_ply(chips, recapture):
    for state in random_path(load(chips, recapture), 5):
        fused = play_chunks(state, 7, 2000, 0, 1, False, by="playout")
        assert fused == play_chunks(state, 7, 2000, 0, 1, False, by="table")
