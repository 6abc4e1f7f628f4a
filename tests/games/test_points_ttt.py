"""points_ttt: the worked example of its rules, payments and passes by small examples, and which dicts are states."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import JSON

import mcts

GAME = mcts.load_game("points_ttt")
START = GAME.new_initial_state().to_dict()
STATES = 183_596


def play(state, *texts):
    """Play the moves of the players in turn on a copy."""
    state = state.clone()
    for text in texts:
        state.apply_action(state.string_to_action(state.current_player(), text))
    return state


def known(state):
    """Balances, who moves and passes."""
    return tuple(state.to_dict()[key] for key in ("balances", "to_move", "passes"))


def legal_texts(state):
    player = state.current_player()
    return [state.action_to_string(player, action) for action in state.legal_actions(player)]


def followers(state):
    """The states after each legal action of the player to move."""
    for action in state.legal_actions(state.current_player()):
        after = state.clone()
        after.apply_action(action)
        yield after


def random_state(rng):
    """A state of a random game, at a random point of it."""
    states = [GAME.new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].clone())
        states[-1].apply_action(rng.choice(states[-1].legal_actions(states[-1].current_player())))
    return rng.choice(states)


def test_info():
    assert (GAME.players, GAME.min_utility, GAME.max_utility, GAME.utility_sum) == (("x", "o"), 0, 100, 100)
    assert GAME.spec == "points_ttt"
    assert not GAME.has_hidden_information
    with pytest.raises(mcts.ParameterError, match="no parameter 'coins'"):
        mcts.load_game("points_ttt(coins=3)")


def test_first_state():
    assert START == {"board": ".........", "balances": [1, 0], "to_move": "x", "passes": 0}
    state = GAME.new_initial_state()
    assert state.acting_players() == (0,)
    assert state.legal_actions(1) == [mcts.NOOP]
    assert legal_texts(state) == [*(f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3)), "pass"]


def test_the_worked_example():
    """Both balances after each turn, the next income not yet paid."""
    example = [
        ("mark(2,2)", [-3, 0]),
        ("mark(2,1)", [-3, 0]),
        ("pass", [-1, 0]),
        ("mark(3,1)", [-1, -1]),
        ("mark(1,1)", [-2, -1]),
        ("mark(3,3)", [-2, -2]),
        ("pass", [0, -2]),
        ("pass", [0, 0]),
        ("mark(3,2)", [0, 0]),
        ("mark(1,2)", [0, 0]),
        ("pass", [2, 0]),
        ("mark(2,3)", [2, 0]),
        ("mark(1,3)", [1, 0]),
    ]
    state = GAME.new_initial_state()
    for turn, (text, expected) in enumerate(example):
        assert state.current_player() == turn % 2
        state = play(state, text)
        balances = state.to_dict()["balances"]
        if not state.is_terminal():
            balances[state.current_player()] -= 2
        assert balances == expected, turn
    assert state.is_terminal()
    assert state.to_dict() == {"board": "xoxoxooxo", "balances": [1, 0], "to_move": "x", "passes": 0}
    assert state.returns() == [100, 0]


@pytest.mark.parametrize(
    ("cell", "cost"),
    [("1,2", 2), ("2,1", 2), ("2,3", 2), ("3,2", 2), ("1,1", 3), ("1,3", 3), ("3,1", 3), ("3,3", 3), ("2,2", 4)],
)
def test_what_a_mark_costs(cell, cost):
    assert known(play(GAME.new_initial_state(), f"mark({cell})")) == ([1 - cost, 2], "o", 0)


def test_only_a_balance_above_zero_may_mark():
    state = play(GAME.new_initial_state(), "mark(1,1)", "mark(1,2)")
    assert known(state) == ([0, 0], "x", 0)
    assert legal_texts(state) == ["pass"]
    assert not state.is_legal(0, state.string_to_action(0, "mark(3,3)"))
    assert "mark(3,3)" in legal_texts(play(state, "pass", "pass"))


def test_no_cell_is_marked_twice():
    state = play(GAME.new_initial_state(), "mark(1,2)")
    assert "mark(1,2)" not in legal_texts(state)
    with pytest.raises(mcts.IllegalActionError, match="pass"):
        play(state, "mark(1,2)")


def test_two_passes_by_choice_end_the_game():
    state = play(GAME.new_initial_state(), "pass")
    assert known(state) == ([1, 2], "o", 1)
    assert not state.is_terminal()
    state = play(state, "pass")
    assert known(state) == ([1, 2], "o", 2)
    assert state.is_terminal()
    assert state.returns() == [0, 100]


def test_forced_passes_do_not_end_the_game():
    both_broke = play(GAME.new_initial_state(), "mark(2,2)", "mark(1,1)", "pass", "mark(1,3)")
    assert known(both_broke) == ([1, -2], "x", 0)
    by_choice = play(both_broke, "pass")
    assert known(by_choice) == ([1, 0], "o", 1)
    forced = play(by_choice, "pass")
    assert known(forced) == ([3, 0], "x", 0)
    assert not forced.is_terminal()
    by_choice_again = play(forced, "pass")
    assert known(by_choice_again) == ([3, 2], "o", 1)
    assert play(by_choice_again, "mark(3,2)").to_dict()["passes"] == 0
    assert play(by_choice_again, "pass").returns() == [100, 0]


def test_two_forced_passes_in_a_row():
    state = play(GAME.new_initial_state(), "mark(2,2)", "mark(1,1)", "pass", "mark(1,3)", "mark(3,1)", "pass")
    assert known(state) == ([0, 0], "x", 0)
    state = play(state, "pass")
    assert known(state) == ([0, 2], "o", 0)
    assert not state.is_terminal()


def test_equal_balances_are_a_draw():
    state = play(GAME.new_initial_state(), "mark(1,1)", "mark(1,2)", "pass", "mark(2,1)", "pass")
    assert known(state) == ([2, 2], "o", 1)
    state = play(state, "pass")
    assert state.is_terminal()
    assert state.returns() == [50, 50]


def test_three_in_a_row_wins_whatever_the_balances():
    state = play(GAME.new_initial_state(), "mark(1,2)", "pass", "mark(2,2)", "pass", "pass", "mark(1,1)")
    assert known(state) == ([1, 3], "x", 0)
    state = play(state, "mark(3,2)")
    assert known(state) == ([-1, 3], "x", 0)
    assert state.is_terminal()
    assert state.returns() == [100, 0]
    with pytest.raises(mcts.IllegalActionError, match="over"):
        state.apply_action(9)


@pytest.mark.parametrize("text", ["mark(0,1)", "mark(1,4)", "mark 1 1", "passes", "bid(1)", ""])
def test_texts_that_name_no_action(text):
    with pytest.raises(mcts.IllegalActionError, match="valid"):
        GAME.new_initial_state().string_to_action(0, text)


def test_drawing():
    state = play(GAME.new_initial_state(), "mark(2,2)", "pass")
    assert str(state).splitlines() == [
        "  1 2 3",
        "1 . . .",
        "2 . x .",
        "3 . . .",
        "x: balance -1",
        "o: balance 2",
        "x must pass",
    ]
    passed = play(GAME.new_initial_state(), "pass")
    assert str(passed).endswith("o marks a cell or passes; a pass ends the game")
    assert str(play(passed, "pass")).endswith("both passed: o wins by the higher balance")
    full = {"board": "xoxoxooxo", "balances": [1, 0], "to_move": "x"}
    assert str(GAME.state_from_dict(full)).endswith("the board is full: x wins by the higher balance")
    line = play(GAME.new_initial_state(), "mark(1,2)", "pass", "mark(2,2)", "pass", "pass", "mark(1,1)", "mark(3,2)")
    assert str(line).endswith("x has three in a row and wins")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"board": "x"}, "'board' must be 9 characters"),
        ({"board": "xz......."}, "'board' must be 9 characters"),
        ({"board": ["."] * 9}, "'board' must be 9 characters"),
        ({"balances": [1]}, "'balances' must be 2 whole numbers"),
        ({"balances": [1, "0"]}, "'balances' must be 2 whole numbers"),
        ({"balances": [True, 0]}, "'balances' must be 2 whole numbers"),
        ({"balances": [10**40, 0]}, "'balances' must be 2 whole numbers from -3 to 15"),
        ({"balances": [1, -4]}, "'balances' must be 2 whole numbers"),
        ({"to_move": "z"}, "'to_move' is 'z'; valid: 'x', 'o'"),
        ({"to_move": None}, "'to_move' is None"),
        ({"passes": 3}, "'passes' is 3; valid: 0, 1, 2"),
        ({"passes": True}, "'passes' is True; valid"),
        ({"turn": 0}, "'turn' is no part of a state"),
        ({"board": "xxxooo..."}, "both players have three in a row"),
        ({"board": "xxx......", "to_move": "o"}, "x has three in a row, so it moved last"),
        ({"board": "xxxxxx..."}, "no one last mark"),
        ({"board": "xxx......", "passes": 1}, "'passes' is 1, but a mark ended the game"),
        ({"board": "xoxxoooxx", "passes": 2}, "'passes' is 2, but a mark ended the game"),
        ({"balances": [2, 0]}, "balance of x and the cost of its marks make 2, but its income makes 1, 3, 5"),
        ({"balances": [-1, 0]}, "balance of x and the cost of its marks make -1"),
        ({"balances": [1, 1]}, "balance of o and the cost of its marks make 1, but its income makes 0, 2, 4"),
        ({"balances": [1, -2]}, "balance of o and the cost of its marks make -2"),
        ({"board": "xox......", "balances": [-3, 0]}, "x has made 2 marks, but by its balance 1 of its turns"),
        ({"board": "xo.o.....", "balances": [0, -2]}, "o has made 2 marks, but by its balance 1 of its turns"),
        ({"balances": [3, 0]}, "x has begun 2 turns and o 0, but with x to move x must have begun one more than o"),
        ({"balances": [1, 2]}, "x has begun 1 turns and o 1, but with x to move"),
        ({"to_move": "o"}, "x has begun 1 turns and o 0, but with o to move x must have begun as many as o"),
        ({"passes": 1}, "no sequence of turns"),
        ({"balances": [1, 2], "to_move": "o", "passes": 0}, "no sequence of turns"),
        ({"balances": [3, 2], "passes": 0}, "no sequence of turns"),
        ({"board": "xxx......", "balances": [-3, 4]}, "no sequence of turns"),
        ({"board": "xo.......", "balances": [0, 0], "passes": 1}, "no sequence of turns"),
    ],
)
def test_impossible_dicts_are_refused(changes, why):
    with pytest.raises(mcts.StateError, match=why):
        GAME.state_from_dict({**START, **changes})


@pytest.mark.parametrize("key", ["board", "balances", "to_move"])
def test_every_other_key_is_needed(key):
    with pytest.raises(mcts.StateError, match=f"no '{key}'"):
        GAME.state_from_dict({name: value for name, value in START.items() if name != key})


def test_without_passes_they_are_the_fewest_possible():
    described = {"board": ".........", "balances": [1, 2], "to_move": "o"}
    assert GAME.state_from_dict(described).to_dict() == {**described, "passes": 1}
    rng = random.Random(3)
    for _ in range(300):
        told = random_state(rng).to_dict()
        fewest = GAME.state_from_dict({key: value for key, value in told.items() if key != "passes"}).to_dict()
        assert fewest.pop("passes") <= told.pop("passes")
        assert fewest == told


def marks_only(cells, state):
    return all(mark == "." or cell in cells for cell, mark in enumerate(state.to_dict()["board"]))


def test_exactly_the_reachable_dicts_are_accepted():
    """All play on four cells with one line among them, against every dict with marks on these cells alone."""
    cells = (0, 1, 2, 4)
    reached = {GAME.new_initial_state()}
    level = list(reached)
    while level:
        live = [state for state in level if not state.is_terminal()]
        following = {after for state in live for after in followers(state) if marks_only(cells, after)}
        level = following - reached
        reached |= following
    accepted = set()
    span = range(-3, 16)
    for marks, balances, to_move, passes in itertools.product(
        itertools.product(".xo", repeat=len(cells)), itertools.product(span, span), "xo", (0, 1, 2)
    ):
        board = ["."] * 9
        for cell, mark in zip(cells, marks, strict=True):
            board[cell] = mark
        described = {"board": "".join(board), "balances": list(balances), "to_move": to_move, "passes": passes}
        try:
            accepted.add(GAME.state_from_dict(described))
        except mcts.StateError:
            continue
    assert {str(state.to_dict()) for state in accepted ^ reached} == set()


def test_every_state_of_the_game():
    """All play, turn by turn: how long it lasts, what it can save up, and that every state is rebuilt from its dict."""
    level = {GAME.new_initial_state()}
    seen, turns = set(level), 0
    while True:
        level = {after for state in level if not state.is_terminal() for after in followers(state)}
        if not level:
            break
        turns += 1
        seen |= level
    assert (turns, len(seen)) == (21, STATES)
    lowest = highest = 0
    for state in seen:
        described = state.to_dict()
        lowest, highest = min(lowest, *described["balances"]), max(highest, *described["balances"])
        assert GAME.state_from_dict(described) == state
    assert (lowest, highest) == (-3, 15)


@pytest.mark.slow
def test_no_more_dicts_are_accepted_than_there_are_states():
    """Every board, with every number of turns: the balances follow from these."""
    costs = [3, 2, 3, 2, 4, 2, 3, 2, 3]
    accepted = 0
    for marks, turns, to_move in itertools.product(itertools.product(".xo", repeat=9), range(1, 14), "xo"):
        spent = [sum(cost for cost, mark in zip(costs, marks, strict=True) if mark == player) for player in "xo"]
        balances = [2 * turns - 1 - spent[0], 2 * (turns - (to_move == "x")) - spent[1]]
        if min(balances) < -3 or max(balances) > 15:
            continue
        for passes in (0, 1, 2):
            described = {"board": "".join(marks), "balances": balances, "to_move": to_move, "passes": passes}
            try:
                GAME.state_from_dict(described)
            except mcts.StateError:
                continue
            accepted += 1
    assert accepted == STATES


NEARLY = st.fixed_dictionaries(
    {
        "board": st.text("...xo", min_size=9, max_size=9) | JSON,
        "balances": st.lists(st.integers(-3, 3), min_size=2, max_size=2) | st.lists(JSON, max_size=3) | JSON,
        "to_move": st.sampled_from("xo") | JSON,
        "passes": st.sampled_from([0, 1, 2]) | JSON,
    },
    optional={"more": JSON},
)


def check_one(described, rng):
    """The dict is refused, or it is a state that can be played to the end."""
    try:
        state = GAME.state_from_dict(described)
    except mcts.StateError:
        return
    assert state.to_dict() == described
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions(state.current_player())))
    assert sum(state.returns()) == 100


@settings(derandomize=True, deadline=None, max_examples=300)
@given(NEARLY, st.randoms(use_true_random=False))
def test_any_dict_is_a_state_to_play_on_or_refused(described, rng):
    check_one(described, rng)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.integers(0, 2**32), st.sampled_from(sorted(START)), st.data())
def test_a_state_with_one_thing_changed_is_a_state_or_refused(seed, key, data):
    rng = random.Random(seed)
    changed = {**random_state(rng).to_dict(), key: data.draw(NEARLY)[key]}
    check_one(changed, rng)
