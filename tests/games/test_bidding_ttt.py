"""bidding_ttt: auctions and the tiebreaker by small examples, the ends of the game, and which dicts are states."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import JSON

import mcts

GAME = mcts.load_game("bidding_ttt(coins=3)")
START = GAME.new_initial_state().to_dict()


def play(state, *steps):
    """Play steps of two action texts each, `x` first, on a copy."""
    state = state.clone()
    for step in steps:
        state.apply_actions([state.string_to_action(player, text) for player, text in enumerate(step.split())])
    return state


def auction(bid_x, bid_o, **given):
    """What is known after one auction of the first turn, or of the state that `given` changes the start into."""
    after = play(GAME.state_from_dict({**START, **given}), f"{bid_x} {bid_o}").to_dict()
    assert after["stage"] == "marking"
    return after["control"], after["coins"], after["tiebreaker"]


def test_info():
    assert (GAME.players, GAME.min_utility, GAME.max_utility, GAME.utility_sum) == (("x", "o"), 0, 100, 100)
    assert mcts.load_game("bidding_ttt").spec == "bidding_ttt(coins=3)"
    assert not GAME.has_hidden_information


@pytest.mark.parametrize("coins", [-1, 101, 200, "many", 2.5, True])
def test_coins_out_of_range_are_refused(coins):
    with pytest.raises(mcts.ParameterError, match="valid: 0 to 100"):
        mcts.load_game("bidding_ttt", coins=coins)


def test_first_state():
    assert START == {
        "board": ".........",
        "coins": [3, 3],
        "tiebreaker": "x",
        "stage": "bidding",
        "control": None,
    }
    assert GAME.new_initial_state().acting_players() == (0, 1)


def test_only_the_holder_may_add_the_tiebreaker():
    state = GAME.state_from_dict({**START, "board": "x........", "coins": [2, 4], "tiebreaker": "o"})
    texts = [[state.action_to_string(player, a) for a in state.legal_actions(player)] for player in (0, 1)]
    assert texts[0] == ["bid(0)", "bid(1)", "bid(2)"]
    assert texts[1] == [f"bid({chips}{more})" for chips in range(5) for more in ("", ",tiebreaker")]
    assert not state.is_legal(0, state.string_to_action(0, "bid(1,tiebreaker)"))
    assert not state.is_legal(0, state.string_to_action(0, "bid(3)"))


def test_higher_bid_wins_and_pays_the_loser():
    assert auction("bid(2)", "bid(1)") == ("x", [1, 5], "x")
    assert auction("bid(1)", "bid(3)") == ("o", [6, 0], "x")


def test_equal_bids_without_the_tiebreaker_go_to_the_player_who_does_not_hold_it():
    assert auction("bid(2)", "bid(2)") == ("o", [5, 1], "x")
    assert auction("bid(0)", "bid(0)", board="x........", tiebreaker="o") == ("x", [3, 3], "o")


def test_equal_bids_with_the_tiebreaker_go_to_its_holder_who_hands_it_over():
    assert auction("bid(2,tiebreaker)", "bid(2)") == ("x", [1, 5], "o")
    assert auction("bid(0)", "bid(0,tiebreaker)", board="x........", tiebreaker="o") == ("o", [3, 3], "x")


def test_a_winner_hands_the_tiebreaker_over_even_when_it_was_not_needed():
    assert auction("bid(3,tiebreaker)", "bid(1)") == ("x", [0, 6], "o")


def test_a_loser_keeps_the_tiebreaker_it_bid():
    assert auction("bid(1,tiebreaker)", "bid(2)") == ("o", [5, 1], "x")


def test_the_winner_marks_and_then_both_bid_again():
    state = play(GAME.new_initial_state(), "bid(0) bid(1)")
    assert state.acting_players() == (1,)
    assert state.legal_actions(0) == [mcts.NOOP]
    assert [state.action_to_string(1, a) for a in state.legal_actions(1)] == [
        f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3)
    ]
    assert not state.is_legal(1, state.string_to_action(1, "bid(0)"))
    state = play(state, "noop mark(2,3)")
    assert state.to_dict() == {**START, "board": ".....o...", "coins": [4, 2]}
    state = play(state, "bid(0) bid(0)")
    assert not state.is_legal(1, state.string_to_action(1, "mark(2,3)"))


def test_three_in_a_row_ends_the_game():
    turns = ["bid(0) bid(0)", "noop mark(1,1)", "bid(0) bid(0)", "noop mark(2,2)", "bid(0) bid(0)", "noop mark(3,3)"]
    state = play(GAME.new_initial_state(), *turns[:-1])
    assert not state.is_terminal()
    state = play(state, turns[-1])
    assert state.is_terminal()
    assert state.returns() == [0, 100]
    assert (state.to_dict()["stage"], state.to_dict()["control"]) == ("bidding", None)
    with pytest.raises(mcts.IllegalActionError, match="over"):
        play(state, "bid(0) bid(0)")


def test_a_full_board_without_a_line_is_a_draw():
    state = GAME.state_from_dict({**START, "board": "xoxxoo.xx", "stage": "marking", "control": "o"})
    state = play(state, "noop mark(3,1)")
    assert state.is_terminal()
    assert state.returns() == [50, 50]


def test_a_line_on_a_full_board_wins():
    state = GAME.state_from_dict({**START, "board": "xoxoxoox.", "stage": "marking", "control": "x"})
    assert not state.is_terminal()
    assert play(state, "mark(3,3) noop").returns() == [100, 0]


def test_every_set_of_cells_with_a_line_is_over_and_no_other():
    lines = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
    for marks in itertools.product(".x", repeat=9):
        cells = {cell for cell in range(9) if marks[cell] == "x"}
        whole = [line for line in lines if line <= cells]
        described = {**START, "board": "".join(marks), "coins": [0, 6], "tiebreaker": "o"}
        if not cells or (whole and not set.intersection(*whole)):
            with pytest.raises(mcts.StateError):
                GAME.state_from_dict(described)
        else:
            assert GAME.state_from_dict(described).is_terminal() == bool(whole)


def test_without_coins_the_tiebreaker_decides_everything():
    state = mcts.load_game("bidding_ttt(coins=0)").new_initial_state()
    assert [len(state.legal_actions(player)) for player in (0, 1)] == [2, 1]
    assert play(state, "bid(0) bid(0)").to_dict()["control"] == "o"
    handed_over = play(state, "bid(0,tiebreaker) bid(0)").to_dict()
    assert (handed_over["control"], handed_over["tiebreaker"]) == ("x", "o")


def test_most_coins_that_a_player_can_hold():
    game = mcts.load_game("bidding_ttt(coins=100)")
    state = play(game.new_initial_state(), "bid(100) bid(0)", "mark(1,1) noop")
    assert state.to_dict()["coins"] == [0, 200]
    assert state.action_to_string(1, state.legal_actions(1)[-1]) == "bid(200)"
    state = play(state, "bid(0) bid(200)", "noop mark(1,2)")
    assert state.action_to_string(0, state.legal_actions(0)[-1]) == "bid(200,tiebreaker)"
    assert state.legal_actions(0)[-1] == game.num_actions - 1


@pytest.mark.parametrize(
    "text", ["bid(7)", "bid(-1)", "bid(01)", "bid()", "bid(1, tiebreaker)", "mark(4,1)", "pass", ""]
)
def test_texts_that_name_no_action(text):
    with pytest.raises(mcts.IllegalActionError, match="valid"):
        GAME.new_initial_state().string_to_action(0, text)


def test_drawing():
    state = play(GAME.new_initial_state(), "bid(2,tiebreaker) bid(1)", "mark(2,2) noop")
    assert str(state).splitlines() == [
        "  1 2 3",
        "1 . . .",
        "2 . x .",
        "3 . . .",
        "x: 1 coin",
        "o: 5 coins and the tiebreaker",
        "both bid",
    ]
    assert str(play(state, "bid(0) bid(1)")).endswith("o marks a cell")
    assert str(GAME.state_from_dict({**START, "board": "xxxoo....", "coins": [2, 4]})).endswith("in a row and wins")


MARKING = {"stage": "marking", "control": "x"}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"board": "x"}, "'board' must be 9 characters"),
        ({"board": "xy......."}, "'board' must be 9 characters"),
        ({"board": None}, "'board' must be 9 characters"),
        ({"coins": [3, 4]}, "6 coins in all"),
        ({"coins": [7, -1]}, "'coins' must be 2 whole numbers from 0 to 6"),
        ({"coins": [3.0, 3]}, "'coins' must be 2 whole numbers"),
        ({"coins": [True, 5]}, "'coins' must be 2 whole numbers"),
        ({"coins": 6}, "'coins' must be 2 whole numbers"),
        ({"coins": [10**30, 3]}, "'coins' must be 2 whole numbers"),
        ({"tiebreaker": None}, "'tiebreaker' is None; valid: 'x', 'o'"),
        ({"stage": "over"}, "'stage' is 'over'; valid"),
        ({"control": "z"}, "'control' is 'z'; valid: null, 'x', 'o'"),
        ({"control": "x"}, "'control' is 'x' in the bidding stage"),
        ({"stage": "marking"}, "'control' is None in the marking stage"),
        ({"winner": "x"}, "'winner' is no part of a state"),
        ({"board": "xxxooo..."}, "both players have three in a row"),
        ({"board": "xxxxxx..."}, "no one last mark"),
        ({"board": "xxx......", "coins": [0, 6], **MARKING}, "the game is over"),
        ({"board": "xoxxoooxx", **MARKING}, "the game is over"),
        ({"coins": [2, 4]}, "x has won no auction"),
        ({"coins": [4, 2]}, "o has won no auction"),
        ({"board": "o........", "coins": [2, 4]}, "x has won no auction"),
        ({"board": "x........", "coins": [4, 2]}, "o has won no auction"),
        ({"tiebreaker": "o"}, "hands it over only by winning"),
        ({"board": "o........", "tiebreaker": "o"}, "hands it over only by winning"),
        ({"board": "xx.......", "coins": [2, 4]}, "x still holds the tiebreaker"),
        ({"board": "xx.......", **MARKING, "coins": [1, 5]}, "x still holds the tiebreaker"),
        ({"board": "o........", **MARKING, "coins": [6, 0]}, "x won the last auction and holds the tiebreaker"),
        ({"board": "oooxx....", "coins": [0, 6], "tiebreaker": "o"}, "o won the last auction and holds the tiebreaker"),
    ],
)
def test_impossible_dicts_are_refused(changes, why):
    with pytest.raises(mcts.StateError, match=why.replace("(", r"\(")):
        GAME.state_from_dict({**START, **changes})


@pytest.mark.parametrize("key", sorted(START))
def test_every_key_is_needed(key):
    with pytest.raises(mcts.StateError, match=f"no '{key}'"):
        GAME.state_from_dict({name: value for name, value in START.items() if name != key})


def test_unequal_starts():
    game = mcts.load_game("bidding_ttt(coins=2,o_coins=5,tiebreaker=o)")
    assert game.spec == "bidding_ttt(coins=2,o_coins=5,tiebreaker=o)"
    state = game.new_initial_state()
    assert (state.to_dict()["coins"], state.to_dict()["tiebreaker"]) == ([2, 5], "o")
    assert state.legal_actions(0)[-1] == state.string_to_action(0, "bid(2)")
    assert state.legal_actions(1)[-1] == state.string_to_action(1, "bid(5,tiebreaker)")
    with pytest.raises(mcts.StateError, match="7 coins in all"):
        game.state_from_dict({**START, "coins": [3, 3]})
    with pytest.raises(mcts.StateError, match="'tiebreaker' is 'x', but o held it first"):
        game.state_from_dict({**START, "coins": [2, 5], "tiebreaker": "x"})


@pytest.mark.parametrize(
    "given",
    ["coins=0", "coins=1", "coins=2", "coins=4"]
    + [f"coins={x},o_coins={o},tiebreaker={holder}" for x, o in [(0, 1), (1, 0), (2, 3), (4, 1)] for holder in "xo"],
)
def test_exactly_the_reachable_dicts_are_accepted(given):
    """All play on four cells with one line among them, against every dict with marks on these cells alone."""
    game = mcts.load_game(f"bidding_ttt({given})")
    total = sum(game.new_initial_state().to_dict()["coins"])
    cells = (0, 1, 2, 4)
    reached = {game.new_initial_state()}
    level = list(reached)
    while level:
        following = set()
        for state in level:
            choices = [[a for a in state.legal_actions(p) if a >= 9 or a < 0 or a in cells] for p in (0, 1)]
            for joint in [] if state.is_terminal() else itertools.product(*choices):
                after = state.clone()
                after.apply_actions(joint)
                following.add(after)
        level = following - reached
        reached |= following
    accepted = set()
    stages = [("bidding", None), ("marking", "x"), ("marking", "o")]
    for marks, own, tiebreaker, (stage, control) in itertools.product(
        itertools.product(".xo", repeat=len(cells)), range(total + 1), "xo", stages
    ):
        board = ["."] * 9
        for cell, mark in zip(cells, marks, strict=True):
            board[cell] = mark
        described = {
            "board": "".join(board),
            "coins": [own, total - own],
            "tiebreaker": tiebreaker,
            "stage": stage,
            "control": control,
        }
        try:
            accepted.add(game.state_from_dict(described))
        except mcts.StateError:
            continue
    assert {str(state.to_dict()) for state in accepted ^ reached} == set()


NEARLY = st.fixed_dictionaries(
    {
        "board": st.text("..xo", min_size=9, max_size=9) | JSON,
        "coins": st.integers(-1, 7).map(lambda own: [own, 6 - own]) | st.lists(JSON, max_size=3) | JSON,
        "tiebreaker": st.sampled_from("xo") | JSON,
    },
    optional={"more": JSON},
)
STAGES = st.sampled_from([("bidding", None), ("marking", "x"), ("marking", "o")]) | st.tuples(JSON, JSON)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(NEARLY, STAGES, st.randoms(use_true_random=False))
def test_any_dict_is_a_state_to_play_on_or_refused(described, stage, rng):
    described = {**described, "stage": stage[0], "control": stage[1]}
    try:
        state = GAME.state_from_dict(described)
    except mcts.StateError:
        return
    assert state.to_dict() == described
    while not state.is_terminal():
        assert sum(state.to_dict()["coins"]) == 6
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
    assert sum(state.returns()) == 100
