"""bidding_3d_ttt: what views hide, states that fit a view, random bids, and what a solver of rounds believes."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from cases.bidding_3d_ttt import GAME, PASS, RECAPTURE
from game_cases import position
from hypothesis import given, settings
from hypothesis import strategies as st
from support import random_path

import mcts
from cext.game.playouts import play_chunks
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
DENSITIES = (0.04, 0.12, 0.25, 0.45, 0.65, 0.85)
MORE_CHIPS = (0.03, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95)


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


# Beliefs and estimates of a solver of rounds


def tile_chances(density, more, low, high, most):
    """Return the probabilities of 0 to `most` chips of a bid on a tile, of those within the bounds."""
    chances = [1 - density, *(density * (1 - more) * more ** (chips - 1) for chips in range(1, most + 1))]
    return [chance if low <= chips <= high else 0.0 for chips, chance in enumerate(chances)]


def believed_chips(chips, rounds):
    """Return the probabilities of the opponent's chips in plain Python.

    rounds: the total of the player's bid, and for the tiles (least bid of the opponent, greatest, number of tiles).
    """
    left = [0.0] * chips + [1.0]
    for mine, tiles in rounds:
        seen, usual = np.zeros(chips + 1), np.zeros(chips + 1)
        for density, more in product(DENSITIES, MORE_CHIPS):
            totals = [np.eye(chips + 1)[0]] * 2
            for low, high, count in tiles:
                for _ in range(count):
                    for at, bounds in enumerate(((low, high), (0, chips))):
                        chances = tile_chances(density, more, *bounds, chips)
                        totals[at] = np.convolve(totals[at], chances)[: chips + 1]
            seen, usual = seen + totals[0], usual + totals[1]
        prior = np.exp(-abs(np.arange(chips + 1) - mine) / (0.1 * chips + 0.5))
        spent = (0.85 * prior / prior.sum() + 0.15 / (chips + 1)) * seen / usual
        left = [sum(left[now + total] * spent[total] for total in range(chips + 1 - now)) for now in range(chips + 1)]
        left = [weight / sum(left) for weight in left]
    return left


def test_the_belief_about_chips_is_that_of_plain_python():
    """In round 1 blue wins A1, and bids at most 1 on B1, which red wins; in round 2 it wins A2 alone."""
    state = position("bidding_3d_ttt(chips=4)", None, ["bid(B1:2) bid(A1:1,B1:1)", "bid(B2:1) bid(A2:1)"])
    expected = believed_chips(4, [(2, [(1, 4, 1), (0, 1, 1), (0, 0, 61)]), (1, [(1, 4, 1), (0, 0, 60)])])
    found = RoundSolver(state.view(0), 0, types=8).types
    assert [chips for chips, _ in found] == [1, 2]  # 0 and 1 together are one type
    assert [share for _, share in found] == pytest.approx([expected[0] + expected[1], expected[2]], rel=1e-5)


def promise(board, player):
    """Return how near a player is to the control of a board that nobody controls."""
    none = 1.0
    for line in LINES:
        tiles = [board[cell] for cell in line]
        if set(tiles) <= {player, "."}:
            none *= 1.0 - (0.05, 0.15, 0.4, 1.0)[tiles.count(player)]
    return 1.0 - none


def estimated(state):
    """Return the estimate of the value of red before round 3, in plain Python."""
    facts = state.to_dict()
    boards = [facts["tiles"][9 * number : 9 * number + 9] for number in range(9)]
    near = [
        [
            float(owner == player) if owner else promise(board, player)
            for board, owner in zip(boards, facts["boards"], strict=True)
        ]
        for player in "rb"
    ]
    strength = [1.0 - 0.999 * math.prod(1.0 - math.prod(at[board] for board in line) for line in LINES) for at in near]
    odds = 0.19 * math.log(strength[0] / strength[1]) + 0.94 * (sum(near[0]) - sum(near[1]))
    odds += 0.37 * (facts["boards"].count("r") - facts["boards"].count("b"))
    odds += 0.06 * (facts["tiles"].count("r") - facts["tiles"].count("b"))
    odds += 3.11 * math.log((facts["chips"][0] + 2) / (facts["chips"][1] + 2))
    return 1 / (1 + math.exp(-odds))


@pytest.mark.parametrize("player", [0, 1])
def test_bids_against_a_player_without_chips_have_the_estimate_of_plain_python(player):
    bids = ["bid(A1:1,A2:1,E5:1,G1:1)", "bid(C1:20,C2:20,E1:20,I1:20)"]
    state = position(GAME, None, [" ".join(bids if player == 0 else bids[::-1])])
    found = RoundSolver(state, player, seed=1).own_values()
    assert len(found) > 5
    for bid, value in found:
        after = state.clone()
        after.apply_actions([bid, (0,) * 81] if player == 0 else [(0,) * 81, bid])
        expected = estimated(after)
        assert value == pytest.approx(1 - expected if player else expected, abs=1e-5)
