"""three_player_ttt: lines of every direction on both boards, the ranking at the end, and which dicts are states."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import JSON

import mcts

FLAT = mcts.load_game("three_player_ttt")
TORUS = mcts.load_game("three_player_ttt(torus=true)")
GAMES = pytest.mark.parametrize("game", [FLAT, TORUS], ids=["flat", "torus"])
NAMES = ("xplayer", "oplayer", "zplayer")
CELLS = list(itertools.product(range(5), range(5)))
BLANK = "." * 25


def lines(length, torus):
    """Every set of `length` cells in a row, the plain way."""
    found = set()
    for (row, column), (down, right) in itertools.product(CELLS, [(0, 1), (1, 0), (1, 1), (1, -1)]):
        cells = [(row + i * down, column + i * right) for i in range(length)]
        if torus:
            cells = [(r % 5, c % 5) for r, c in cells]
        if set(cells) <= set(CELLS):
            found.add(frozenset(r * 5 + c for r, c in cells))
    return sorted(map(sorted, found))


LINES = {(length, torus): lines(length, torus) for length in (3, 4) for torus in (False, True)}


def has_line(board, symbol, length, torus):
    return any(all(board[cell] == symbol for cell in line) for line in LINES[length, torus])


def expected_returns(board, torus):
    """The returns of a finished board by the written rules."""
    four = [has_line(board, symbol, 4, torus) for symbol in "xoz"]
    return [
        100 if four[i] else 66 if has_line(board, symbol, 3, torus) else 0 if any(four) else 33
        for i, symbol in enumerate("xoz")
    ]


def describe(board):
    """The dict of a board."""
    return {"board": board, "control": NAMES[(25 - board.count(".")) % 3]}


def rows(text):
    """A board written in rows."""
    return "".join(text.split())


def play(game, cells):
    """The state after these marks in turns, from the first state."""
    state = game.new_initial_state()
    for cell in cells:
        state.apply_action(cell)
    return state


def test_info():
    assert (FLAT.players, FLAT.min_utility, FLAT.max_utility, FLAT.utility_sum) == (NAMES, 0, 100, None)
    assert (FLAT.spec, TORUS.spec) == ("three_player_ttt(torus=false)", "three_player_ttt(torus=true)")
    assert FLAT.num_actions == 25
    assert not FLAT.has_hidden_information
    with pytest.raises(mcts.ParameterError, match="valid: true, false"):
        mcts.load_game("three_player_ttt(torus=maybe)")


@GAMES
def test_first_steps(game):
    state = game.new_initial_state()
    assert state.to_dict() == {"board": BLANK, "control": "xplayer"}
    assert [state.legal_actions(player) for player in range(3)] == [list(range(25)), [mcts.NOOP], [mcts.NOOP]]
    assert state.string_to_action(0, "mark(2,4)") == 8
    assert state.action_to_string(0, 24) == "mark(5,5)"
    state.apply_actions([8, mcts.NOOP, mcts.NOOP])
    assert state.to_dict() == {"board": "." * 8 + "x" + "." * 16, "control": "oplayer"}
    assert state.acting_players() == (1,)
    assert 8 not in state.legal_actions(1)
    state.apply_action(0)
    state.apply_action(24)
    assert state.to_dict() == {"board": "o" + "." * 7 + "x" + "." * 15 + "z", "control": "xplayer"}


@pytest.mark.parametrize("text", ["mark(0,1)", "mark(6,1)", "mark(1,6)", "mark(1)", "reset", "mark(1,1", ""])
def test_texts_that_are_no_action(text):
    with pytest.raises(mcts.IllegalActionError, match="valid: mark"):
        FLAT.new_initial_state().string_to_action(0, text)


@pytest.mark.parametrize("action", [-2, 25, 2**31 - 1, -(2**31)])
def test_actions_off_the_board(action):
    state = FLAT.new_initial_state()
    assert not state.is_legal(0, action)
    with pytest.raises(mcts.IllegalActionError, match="valid: 0 to 24"):
        state.action_to_string(0, action)


def test_how_many_lines():
    assert {key: len(found) for key, found in LINES.items()} == {
        (3, False): 48,
        (3, True): 100,
        (4, False): 28,
        (4, True): 100,
    }


@GAMES
def test_every_four_ends_the_game_whichever_cell_comes_last(game):
    torus = game.parameters["torus"]
    for player, line in itertools.product(range(3), LINES[4, torus]):
        others = [cell for cell in range(25) if cell not in line]
        marks = [others[i::2] for i in range(2)]
        for last in line:
            mine = [cell for cell in line if cell != last] + [last]
            order = iter(marks)
            by_player = [mine if i == player else next(order) for i in range(3)]
            cells = [by_player[ply % 3][ply // 3] for ply in range(10 + player)]
            before, after = play(game, cells[:-1]), play(game, cells)
            board = after.to_dict()["board"]
            rivals = [s for s in "xoz" if s != "xoz"[player]]
            if any(has_line(before.to_dict()["board"], symbol, 4, torus) for symbol in rivals):
                continue
            assert not before.is_terminal()
            assert after.is_terminal()
            assert after.returns() == expected_returns(board, torus)
            assert after.returns()[player] == 100
            assert game.state_from_dict(after.to_dict()) == after


@pytest.mark.parametrize(
    "board",
    [
        "xx.xx oo... zz... ..... o..z.",  # a row
        "x.oz. x.... .oz.o x.... x..z.",  # a column
        "...x. ....x x..o. .xo.z zo..z",  # a diagonal down right
        ".x... x.o.. .o..x z..xo z...z",  # a diagonal down left
        "x..z. .x... ..oo. ...x. zzo.x",  # the main diagonal, over the corner
    ],
)
def test_lines_that_only_the_torus_has(board):
    board = rows(board)
    assert (board.count("x"), has_line(board, "x", 4, False), has_line(board, "x", 4, True)) == (4, False, True)
    given = {"board": board, "control": "oplayer"}
    assert not FLAT.state_from_dict(given).is_terminal()
    assert TORUS.state_from_dict(given).is_terminal()
    assert TORUS.state_from_dict(given).returns()[0] == 100


@pytest.mark.parametrize(
    ("board", "returns"),
    [
        ("xxxx. oo.o. zz.z. ..... .....", [100, 0, 0]),
        ("xxxx. ooo.. zz.z. ..... .....", [100, 66, 0]),
        ("xxxx. oo.o. zzz.. ..... .....", [100, 0, 66]),
        ("xxxx. ooo.. zzz.. ..... .....", [100, 66, 66]),
        ("oooo. xx.xx ..... zz.z. .....", [0, 100, 0]),
        ("zzzz. xx.xx oo.oo ..... .....", [0, 0, 100]),
        ("xzoxx xozzo zooxx zzxzo xoxzo", [33, 33, 33]),
        ("ozzxz oxzxx xzooo xoxzo ozxxz", [33, 66, 33]),
        ("oooxz xzzxx zxzoz oxzoo zxoxx", [66, 66, 66]),
    ],
)
def test_returns_of_each_combination(board, returns):
    state = FLAT.state_from_dict(describe(rows(board)))
    assert state.is_terminal()
    assert state.returns() == returns
    assert state.acting_players() == ()
    assert state.legal_actions(0) == []


@GAMES
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_random_games_follow_the_written_rules(game, seed):
    torus = game.parameters["torus"]
    rng = random.Random(seed)
    state = game.new_initial_state()
    board = list(BLANK)
    for ply, cell in enumerate(rng.sample(range(25), 25)):
        assert not state.is_terminal()
        assert state.to_dict() == describe("".join(board))
        assert state.legal_actions(ply % 3) == [i for i in range(25) if board[i] == "."]
        state.apply_action(cell)
        board[cell] = "xoz"[ply % 3]
        if has_line(board, "xoz"[ply % 3], 4, torus):
            break
    assert state.is_terminal()
    assert state.returns() == expected_returns(board, torus)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"board": BLANK}, "no 'control'"),
        ({"control": "xplayer"}, "no 'board'"),
        ({"board": BLANK, "control": "xplayer", "to_move": "x"}, "no part of a state"),
        ({"board": BLANK[1:], "control": "xplayer"}, "25 characters"),
        ({"board": "q" + BLANK[1:], "control": "xplayer"}, "25 characters"),
        ({"board": None, "control": "xplayer"}, "25 characters"),
        ({"board": BLANK, "control": None}, "valid: 'xplayer'"),
        ({"board": BLANK, "control": "x"}, "valid: 'xplayer'"),
        ({"board": BLANK, "control": "oplayer"}, "after 0 marks it is 'xplayer'"),
        (describe("o" + BLANK[1:]), "alternate"),
        (describe("xz" + BLANK[2:]), "alternate"),
        (describe("xxo" + BLANK[3:]), "alternate"),
        (describe(rows("xxxx. oooo. zzz.. ..... .....")), "both have four"),
        (describe(rows("xxxx. oo.oo zz.z. ..... .....")), "did not move last"),
        (describe(rows("xxxx. oozzo zzooz ozoz. xxxx.")), "no one last mark"),
    ],
)
def test_impossible_states_are_refused(given, word):
    with pytest.raises(mcts.StateError, match=word):
        FLAT.state_from_dict(given)


def test_two_lines_that_one_mark_made_are_a_state():
    board = rows("xxxx. x.oo. x.zz. xoz.o zozzo")
    state = FLAT.state_from_dict(describe(board))
    assert state.returns()[0] == 100


def reach(game, told):
    """Play to a described state: any order will do as long as the mark that makes the four comes last."""
    torus = game.parameters["torus"]
    board = told["board"]
    cells = [[cell for cell in range(25) if board[cell] == symbol] for symbol in "xoz"]
    mover = (25 - board.count(".") + 2) % 3
    for last in list(cells[mover]):
        if not has_line(board[:last] + "." + board[last + 1 :], "xoz"[mover], 4, torus):
            cells[mover].remove(last)
            cells[mover].append(last)
            break
    return play(game, [cells[ply % 3][ply // 3] for ply in range(25 - board.count("."))])


@GAMES
@given(seed=st.integers(0, 2**32))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_what_is_accepted_can_be_reached(game, seed):
    rng = random.Random(seed)
    marks = rng.randrange(26)
    letters = [*("xoz"[ply % 3] for ply in range(marks)), *"." * (25 - marks)]
    rng.shuffle(letters)
    told = describe("".join(letters))
    try:
        state = game.state_from_dict(told)
    except mcts.StateError:
        return
    assert state.to_dict() == told
    assert reach(game, told) == state


BOARD = st.lists(st.sampled_from(".xoz"), min_size=25, max_size=25).map("".join)


@GAMES
@given(JSON | st.fixed_dictionaries({"board": JSON | BOARD, "control": JSON | st.sampled_from(NAMES)}))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_json_is_a_state_or_an_error(game, given):
    try:
        state = game.state_from_dict(given)
    except mcts.StateError:
        return
    assert state.to_dict() == given


def test_drawings():
    state = FLAT.state_from_dict(describe("x" + "." * 12 + "o" + "." * 11))
    drawn = ["  1 2 3 4 5", "1 x . . . .", "2 . . . . .", "3 . . . o .", "4 . . . . .", "5 . . . . ."]
    assert str(state).splitlines() == [*drawn, "zplayer (z) to mark"]
    assert str(TORUS.new_initial_state()).endswith("xplayer (x) to mark\nlines wrap round the edges")
    over = FLAT.state_from_dict(describe(rows("xxxx. ooo.. zz.z. ..... .....")))
    assert str(over).endswith("over: xplayer (x) 100, oplayer (o) 66, zplayer (z) 0")
