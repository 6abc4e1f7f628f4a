"""Bidding 3D tic-tac-toe: every rule by a small example, hidden things, dicts that no play can reach."""

import json
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcts
from cext.playouts import play_chunks

NOTHING = "bid()"


def load(chips=80, recapture=False):
    return mcts.load_game("bidding_3d_ttt", chips=chips, recapture=recapture)


def play(state, *rounds):
    """Play the given (red, blue) bid texts."""
    for red, blue in rounds:
        state.apply_actions([state.string_to_action(0, red), state.string_to_action(1, blue)])
    return state


def start(*rounds, **parameters):
    return play(load(**parameters).new_initial_state(), *rounds)


def legal(state, player, text):
    return state.is_legal(player, state.string_to_action(player, text))


def owner(state, tile):
    return state.to_dict()["tiles"]["ABCDEFGHI".index(tile[0]) * 9 + int(tile[1]) - 1]


def boards(state):
    return dict(zip("ABCDEFGHI", state.to_dict()["boards"], strict=True))


def random_game(game, seed):
    """Every state of one game of random play."""
    draw = random.Random(seed)
    state = game.new_initial_state()
    states = [state.clone()]
    while not state.is_terminal():
        state.apply_actions([state.sample_action(player, draw.getrandbits(64)) for player in (0, 1)])
        states.append(state.clone())
    return states


games = st.builds(load, st.sampled_from([0, 1, 2, 12, 80, 255]), st.booleans())
seeds = st.integers(0, 2**64 - 1)


# The rules


def test_start():
    state = load().new_initial_state()
    assert state.current_player() == mcts.SIMULTANEOUS
    assert state.to_dict() == {
        "round": 1,
        "chips": [80, 80],
        "tiles": "." * 81,
        "boards": ["", "", "", "r", "", "b", "", "", ""],
        "history": [],
    }
    with pytest.raises(mcts.NotEnumerableError):
        state.legal_actions(0)


def test_higher_bid_owns_equal_bids_neither_and_all_chips_are_spent():
    state = start(("bid(A1:3,A2:2,B1:4)", "bid(A1:2,A2:2,C1:1)"))
    assert [owner(state, tile) for tile in ("A1", "A2", "B1", "C1", "E1")] == ["r", ".", "r", "b", "."]
    assert state.to_dict()["chips"] == [71, 75]


def test_bid_is_limited_by_the_chips_left():
    state = start(("bid(A1:70)", NOTHING))
    assert legal(state, 0, "bid(A2:10)")
    assert not legal(state, 0, "bid(A2:11)")
    assert not legal(state, 0, "bid(A2:10,A3:1)")
    assert legal(state, 1, "bid(A2:80)")


def test_round_1_forbids_a_line_of_three_within_one_board():
    state = start()
    for line in ("A1:1,A2:1,A3:1", "E1:1,E4:1,E7:1", "I1:1,I5:1,I9:1", "G3:1,G5:1,G7:1", "B1:1,B2:1,B3:1,B4:1"):
        assert not legal(state, 0, f"bid({line})")
    assert legal(state, 0, "bid(A1:1,A2:1,A4:1,A9:1,B3:1,C3:1)")
    assert legal(start((NOTHING, NOTHING)), 0, "bid(A1:1,A2:1,A3:1)")


def test_round_2_allows_two_boards_round_3_all():
    state = start((NOTHING, NOTHING))
    assert legal(state, 0, "bid(A1:1,B1:1,B9:1)")
    assert not legal(state, 0, "bid(A1:1,B1:1,C1:1)")
    play(state, (NOTHING, NOTHING))
    assert legal(state, 0, "bid(A1:1,B1:1,C1:1,E1:1,G1:1,H1:1,I1:1)")


def test_owned_tiles_and_controlled_boards_are_closed():
    state = start(("bid(A1:1,A2:1)", NOTHING))
    assert not legal(state, 0, "bid(A1:1)")
    assert not legal(state, 1, "bid(A1:5)")
    assert not legal(state, 0, "bid(D1:1)")
    assert not legal(state, 1, "bid(F5:1)")
    play(state, ("bid(A3:1)", NOTHING))
    assert boards(state)["A"] == "r"
    assert not legal(state, 1, "bid(A9:1)")


def test_both_can_control_a_board_at_once():
    state = start((NOTHING, NOTHING), ("bid(A1:1,A2:1,A3:1)", "bid(A4:1,A5:1,A6:1)"))
    assert boards(state)["A"] == "rb"
    assert not legal(state, 0, "bid(A7:1)")


def test_three_boards_in_a_line_win_at_once():
    state = start((NOTHING, NOTHING), ("bid(A1:1,A2:1,A3:1,G1:1,G2:1,G3:1)", NOTHING))
    assert state.is_terminal()
    assert state.returns() == [100, 0]
    assert state.to_dict()["round"] == 2
    state = start((NOTHING, NOTHING), (NOTHING, "bid(C1:1,C5:1,C9:1,I1:1,I2:1,I3:1)"))
    assert state.returns() == [0, 100]


def test_a_line_of_boards_beats_more_boards():
    state = start(
        (NOTHING, NOTHING),
        (NOTHING, "bid(B1:1,B2:1,B3:1,E1:1,E2:1,E3:1)"),
        ("bid(A1:1,A2:1,A3:1,G1:1,G2:1,G3:1)", "bid(I1:1,I2:1,I3:1)"),
    )
    assert [sum(who in held for held in boards(state).values()) for who in "rb"] == [3, 4]
    assert state.returns() == [100, 0]


def test_lines_of_both_are_decided_by_the_number_of_boards():
    red, blue = "A1:1,A2:1,A3:1,G1:1,G2:1,G3:1", "C1:1,C2:1,C3:1,I1:1,I2:1,I3:1"
    both = start((NOTHING, NOTHING), (f"bid({red})", f"bid({blue})"))
    assert both.is_terminal()
    assert both.returns() == [50, 50]
    more = start((NOTHING, NOTHING), (NOTHING, NOTHING), (f"bid({red},E1:1,E2:1,E3:1)", f"bid({blue},E4:9)"))
    assert more.returns() == [100, 0]


@pytest.mark.parametrize(
    ("red", "blue", "expected"),
    [
        (NOTHING, "bid(A1:1,A2:1,A3:1)", [0, 100]),  # more boards
        ("bid(A1:5)", "bid(B1:1,B9:1)", [0, 100]),  # boards equal: more tiles
        ("bid(A1:5)", "bid(B1:6)", [100, 0]),  # tiles equal too: more chips
        ("bid(A1:5)", "bid(B1:5)", [50, 50]),
        (NOTHING, NOTHING, [50, 50]),
    ],
)
def test_after_round_3_boards_then_tiles_then_chips(red, blue, expected):
    state = start((NOTHING, NOTHING), (NOTHING, NOTHING), (red, blue))
    assert state.is_terminal()
    assert state.returns() == expected
    with pytest.raises(mcts.IllegalActionError, match="over"):
        state.sample_action(0, 1)


def test_recapture():
    state = start(("bid(A1:2,A2:2)", "bid(B1:3)"), recapture=True)
    assert legal(state, 1, "bid(A1:1)")
    play(state, ("bid(A1:1)", "bid(A1:1,A2:1)"))
    assert [owner(state, tile) for tile in ("A1", "A2", "B1")] == ["r", "b", "b"]
    play(state, ("bid(A2:3,A3:1)", NOTHING))
    assert boards(state)["A"] == "r"
    closed = start((NOTHING, NOTHING), ("bid(A1:1,A2:1,A3:1)", "bid(A4:2)"), recapture=True)
    assert not legal(closed, 1, "bid(A1:9)")
    assert not legal(closed, 0, "bid(A4:9)")


# Texts


def test_texts():
    state = start()
    action = state.string_to_action(0, "bid(E5:2,A1:3)")
    assert (action[0], action[40], sum(action), len(action)) == (3, 2, 5, 81)
    assert state.action_to_string(0, action) == "bid(A1:3,E5:2)"
    assert state.action_to_string(0, (0,) * 81) == "bid()"
    for text in ("bid", "bid(", "bid(A1)", "bid(A0:1)", "bid(J1:1)", "bid(A1:0)", "bid(A1:256)", "bid(A1:1,A1:1)",
                 "bid(A1:1,)", "bid(,)", "bid(a1:1)", "pass", "", "bid(A1:-1)", "bid(A1:1 )"):  # fmt: skip
        with pytest.raises(mcts.IllegalActionError):
            state.string_to_action(0, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bid(A1:81)", "81 chips; valid: up to 80"),
        ("bid(A2:1,D1:1)", "D1, which cannot be bid on"),
        ("bid(A1:1,A2:1,A3:1)", "line of three"),
    ],
)
def test_an_illegal_bid_is_told_why(text, reason):
    state = start()
    before = state.clone()
    with pytest.raises(mcts.IllegalActionError, match=reason):
        play(state, (text, NOTHING))
    assert state == before
    play(state, (NOTHING, NOTHING))
    with pytest.raises(mcts.IllegalActionError, match="boards A, B, C; valid in round 2"):
        play(state, ("bid(A1:1,B1:1,C1:1)", NOTHING))


@pytest.mark.parametrize("action", [None, 3, "bid()", (1,) * 80, (-1,) * 81, (256,) * 81, [None] * 81])
def test_what_is_no_action(action):
    state = start()
    assert not state.is_legal(0, action)
    with pytest.raises(mcts.IllegalActionError):
        state.apply_actions([action, (0,) * 81])


def test_drawing_hides_what_the_view_hides():
    state = start(("bid(A1:7,E5:9)", "bid(C3:11)"))
    assert str(state).splitlines()[0] == "round 2 of 3: red 64 chips, blue 69 chips"
    assert str(state.view(0)).splitlines()[0] == "round 2 of 3: red 64 chips, blue ? chips"
    assert str(state).splitlines()[1:] == str(state.view(0)).splitlines()[1:]
    assert "  r 2 3             1 2 3             1 2 b" in str(state)


# What is hidden


def test_states_that_differ_in_hidden_things_only_look_the_same():
    one = start(("bid(A1:3,B2:5)", "bid(C1:2,B2:1)"), ("bid(A5:4)", "bid(A6:1)"))
    two = start(("bid(A1:3,B2:5)", "bid(C1:9)"), ("bid(A5:4)", "bid(A5:3,A6:8)"))
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
    for state in random_game(game, seed):
        for player in (0, 1):
            view = state.view(player)
            guess = view.resample(seed)
            assert guess.view(player) == view
            assert hash(guess.view(player)) == hash(view)
            assert guess.view(player).information_state_string() == view.information_state_string()
            # rebuilding plays every bid again and checks that it was legal and led to what is public
            assert game.state_from_dict(guess.to_dict()) == guess
            assert guess.acting_players() == state.acting_players()


def test_resample_knows_what_outcomes_reveal():
    view = start(("bid(A1:3,B1:2,C1:5)", "bid(A1:3,B1:4,C1:1,E1:1)")).view(0)
    guesses = [view.resample(seed).to_dict()["history"][0]["bids"][1] for seed in range(300)]
    tied, lost, won, unopposed, untouched = 0, 9, 18, 36, 37
    assert {guess[tied] for guess in guesses} == {3}
    assert {guess[untouched] for guess in guesses} == {0}
    assert min(guess[lost] for guess in guesses) == 3
    assert min(guess[unopposed] for guess in guesses) == 1
    assert {guess[won] for guess in guesses} == {0, 1, 2, 3, 4}
    assert len({sum(guess) for guess in guesses}) > 20
    assert max(sum(guess) for guess in guesses) > 60


def test_resample_of_a_retaken_tile():
    first = ("bid(A1:2,A2:2)", "bid(B1:3)")
    view = start(first, ("bid(A1:4,B1:2)", "bid(A1:4,A2:5,B1:2)"), recapture=True).view(0)
    guesses = [view.resample(seed).to_dict()["history"][1]["bids"][1] for seed in range(300)]
    assert {guess[0] for guess in guesses} == {0, 1, 2, 3, 4}  # kept: an equal bid is possible
    assert min(guess[1] for guess in guesses) == 1  # lost without a bid
    assert min(guess[9] for guess in guesses) == 2  # the rival kept its own: an equal bid is enough


# Random bids


@given(games, seeds)
@settings(max_examples=60, deadline=None)
def test_random_bids_are_legal_and_chips_are_conserved(game, seed):
    states = random_game(game, seed)
    for before, after in pairwise(states):
        bids = after.to_dict()["history"][-1]["bids"]
        for player in (0, 1):
            assert before.is_legal(player, bids[player])
            assert after.to_dict()["chips"][player] == before.to_dict()["chips"][player] - sum(bids[player])
        assert len({before, after, after.clone()}) == 2
    assert sum(states[-1].returns()) == 100


def test_random_bids_are_of_many_kinds():
    state = start()
    bids = [state.sample_action(0, seed) for seed in range(2000)]
    assert (0,) * 81 in bids
    assert max(sum(bid) for bid in bids) > 70
    assert {sum(count > 0 for count in bid) for bid in bids} >= set(range(12))
    last = start((NOTHING, NOTHING), (NOTHING, NOTHING))
    spent = [sum(last.sample_action(0, seed)) for seed in range(400)]
    assert 300 < spent.count(80) < 400


def test_random_bids_of_few_chips_take_tiles_back():
    state = load(2, recapture=True).new_initial_state()
    state.apply_actions([state.string_to_action(0, NOTHING), state.string_to_action(1, "bid(C9:1,G1:1)")])
    bids = [state.sample_action(0, seed) for seed in range(1000)]
    takes = sum(bool(bid[26] or bid[54]) for bid in bids)
    assert 0.6 < takes / sum(any(bid) for bid in bids) < 0.95
    theirs = [state.sample_action(1, seed) for seed in range(1000)]
    assert not any(map(any, theirs))  # blue has spent its chips


@pytest.mark.parametrize("recapture", [False, True])
@pytest.mark.parametrize("chips", [0, 1, 12, 80, 255])
def test_the_fused_playout_draws_as_the_table_does(chips, recapture):
    for state in random_game(load(chips, recapture), 5):
        fused = play_chunks(state, 7, 2000, 0, 1, False, fused=True)
        assert fused == play_chunks(state, 7, 2000, 0, 1, False, fused=False)


# Dicts


def finished_dict():
    return start(("bid(A1:3)", "bid(B1:2)"), ("bid(A2:1)", NOTHING)).to_dict()


def test_a_state_after_round_1_needs_its_history():
    given_dict = finished_dict()
    del given_dict["history"]
    with pytest.raises(mcts.StateError, match="history"):
        load().state_from_dict(given_dict)
    first = load().new_initial_state().to_dict()
    del first["history"]
    assert load().state_from_dict(first) == load().new_initial_state()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"round": 2}, "round"),
        ({"chips": [76, 79]}, "chips"),
        ({"chips": [-1, 300]}, "chips"),
        ({"tiles": "r" * 81}, "tiles"),
        ({"boards": [""] * 9}, "boards"),
        ({"history": None}, "history"),
        ({"history": [{}]}, "bids"),
        ({"history": [{"bids": [None, [0] * 81], "tiles": "." * 81}]}, "view"),
        ({"history": [{"bids": [[0] * 80, [0] * 81], "tiles": "." * 81}]}, "81 whole numbers"),
        ({"history": [{"bids": [[True] * 81, [0] * 81], "tiles": "." * 81}]}, "81 whole numbers"),
        ({"history": [{"bids": [[90] + [0] * 80, [0] * 81], "tiles": "." * 81}]}, "90 chips"),
        ({"history": [{"bids": [[0] * 81, [0] * 81], "tiles": "r" * 81}]}, "lead to"),
        ({"history": [{"bids": [[0] * 81, [0] * 81], "tiles": "." * 81}] * 4}, "at most 3"),
        ({"colour": 1}, "colour"),
    ],
)
def test_impossible_dicts_are_refused_with_a_reason(change, reason):
    with pytest.raises(mcts.StateError, match=reason):
        load().state_from_dict({**finished_dict(), **change})


def test_history_cannot_go_on_after_the_end():
    over = start((NOTHING, NOTHING), ("bid(A1:1,A2:1,A3:1,G1:1,G2:1,G3:1)", NOTHING)).to_dict()
    more = {"bids": [[0] * 81, [0] * 81], "tiles": over["tiles"]}
    with pytest.raises(mcts.StateError, match="ended the game"):
        load().state_from_dict({**over, "history": [*over["history"], more]})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["bids", "tiles", "x"]), inner),
    max_leaves=8,
)


@given(st.sampled_from(["round", "chips", "tiles", "boards", "history", "bids", "red"]), anything)
@settings(max_examples=300, deadline=None)
def test_arbitrary_json_is_refused_or_understood(key, value):
    given_dict = json.loads(json.dumps(finished_dict()))
    if key == "bids":
        given_dict["history"][1]["bids"] = value
    elif key == "red":
        given_dict["history"][0]["bids"][0] = value
    else:
        given_dict[key] = value
    try:
        state = load().state_from_dict(given_dict)
    except mcts.StateError:
        return
    assert load().state_from_dict(state.to_dict()) == state


@given(anything)
@settings(max_examples=100, deadline=None)
def test_arbitrary_things_are_no_state(value):
    with pytest.raises(mcts.StateError):
        load().state_from_dict(value)


@pytest.mark.parametrize("spec", ["chips=-1", "chips=256", "chips=x", "recapture=2", "coins=3"])
def test_bad_parameters(spec):
    with pytest.raises(mcts.ParameterError):
        mcts.load_game(f"bidding_3d_ttt({spec})")
